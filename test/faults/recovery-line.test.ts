/** After a kill the log of the next start says what was recovered. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { beginRequest, until } from '../support/server/broken-connection.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { jobOf, started } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'

const folder = temporaryFolder()
const root = join(folder.path, 'root')
const database = join(folder.path, 'f.db')
const FILES = 3000

beforeAll(() => {
  mkdirSync(join(root, 'many'), { recursive: true })
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(root, 'many', `${at}.txt`), `${at}`)
})
afterAll(() => folder.remove())

const start = () => startServer({ root, database })

test('the first start, and one after a stop, have nothing to say', async () => {
  for (let times = 0; times < 2; times += 1) {
    const server = await start()
    await server.stop()
    expect(server.output()).not.toContain('recovery:')
  }
})

test('the start after a kill says in one line what it has recovered', async () => {
  const server = await start()
  const admin = await signIn(server.url, 'admin', PASSWORD)
  const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '2000000' }
  const created = await admin.call('POST', `${API.tus}/half.bin`, undefined, tus)
  const part = await admin.call(
    'PATCH',
    created.headers.get('Location') ?? '',
    new Uint8Array(1_500_000),
    {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    },
  )
  expect(part.status).toBe(204)
  await beginRequest(
    server.url,
    `POST ${API.resources}/lost.bin`,
    { 'X-Auth': admin.token, 'Content-Length': '300000' },
    new Uint8Array(200_000),
  )
  const staged = () =>
    readdirSync(join(root, '.filemgr/work'), { recursive: true, withFileTypes: true }).filter(
      (at) => at.isFile(),
    )
  await until(() => staged().length > 0)
  const { id } = await started(admin, {
    kind: 'copy',
    to: '/',
    items: [{ path: '/many', decision: 'keepBoth' }],
  })
  await until(async () => (await jobOf(admin, id)).filesDone > 10)
  server.kill('SIGKILL')
  await server.stop()

  const next = await start()
  const line = await next.says(/ recovery: (.*)/)
  expect(line).toMatch(
    /^Something was left unfinished, and is recovered now\. Unfinished files removed: \d+, (?:interrupted changes that were (?:not )?done: \d+, )?jobs continued: 1, uploads that can continue: 1\.$/,
  )
  expect(next.output().split(' recovery: ')).toHaveLength(2)
  const again = await signIn(next.url, 'admin', PASSWORD)
  expect(await outcome(again.call('GET', `${API.raw}/lost.bin`))).toBe('404 notFound')
  await until(async () => (await jobOf(again, id)).state === 'done')
  await next.stop()
})
