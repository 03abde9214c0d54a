/** filemgr jobs: long work is listed, paused, resumed and cancelled, while the server runs and without it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '#wire/jobs.ts'
import { type Client, signIn } from '../support/client.ts'
import { runFilemgr } from '../support/executable.ts'
import { ended, started, until } from '../support/jobs.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'

const FILES = 2500

let folder: ReturnType<typeof temporaryFolder>
let database: string
let root: string
let server: TestServer
let admin: Client
beforeEach(async () => {
  folder = temporaryFolder()
  database = join(folder.path, 'f.db')
  root = join(folder.path, 'root')
  mkdirSync(join(root, 'much'), { recursive: true })
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(root, 'much', `f${at}`), `${at}`)
  server = await startServer({ root, database })
  admin = await signIn(server.url, 'admin', server.password)
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const run = (...words: string[]) =>
  runFilemgr(['jobs', ...words, '--database', database], { home: folder.path })

async function copying(): Promise<Job> {
  const items = [{ path: '/much' }]
  const { id } = await started(admin, { kind: 'copy', items, to: '/to' })
  return until(admin, id, ({ filesDone }) => filesDone > 0)
}

test('a job is listed, paused and resumed while the server runs', async () => {
  const { id } = await copying()
  expect((await run('pause', String(id))).stdout).toBe(`Asked job ${id} to pause.\n`)
  await until(admin, id, ({ state }) => state === 'paused')
  const [listed] = JSON.parse((await run('ls', '--json')).stdout)
  expect(listed).toMatchObject({ id, username: 'admin', kind: 'copy', state: 'paused', root })
  expect((await run('ls')).stdout).toContain('/much → /to')
  expect((await run('ls', '--user', 'admin', '-n', '1')).stdout).toContain('paused')
  expect((await run('resume', String(id))).code).toBe(0)
  expect((await ended(admin, id)).state).toBe('done')
  expect(readdirSync(join(root, 'to/much')).length).toBe(FILES)
}, 60_000)

test('a job that is paused is cancelled, and leaves nothing', async () => {
  const { id } = await copying()
  await run('pause', String(id))
  await until(admin, id, ({ state }) => state === 'paused')
  expect((await run('cancel', String(id))).code).toBe(0)
  expect((await ended(admin, id)).state).toBe('cancelled')
  expect(existsSync(join(root, 'to/much'))).toBe(false)
}, 60_000)

test('without a server it is asked of the next one', async () => {
  const { id } = await copying()
  const { password } = server
  server.kill('SIGKILL')
  await server.stop()
  expect((await run('cancel', String(id))).code).toBe(0)
  server = await startServer({ root, database })
  admin = await signIn(server.url, 'admin', password)
  expect((await ended(admin, id)).state).toBe('cancelled')
  expect(existsSync(join(root, 'to/much'))).toBe(false)
  const over = await run('pause', String(id))
  expect([over.code, over.stderr]).toEqual([1, `Job ${id} is over.\n`])
  expect(await run('cancel', '99')).toMatchObject({ code: 4 })
  expect(await run('ls', '-n', 'many')).toMatchObject({ code: 2 })
}, 60_000)
