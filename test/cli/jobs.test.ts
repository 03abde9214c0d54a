/** filemgr jobs: lists, pauses, resumes and cancels jobs, with or without a running server. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '#wire/api/jobs.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { writeEndless } from '../support/server/endless.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { control, ended, jobOf, started, until } from '../support/server/jobs.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

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
  writeEndless(join(root, 'much/zeros'))
  server = await startServer({ root, database })
  admin = await signIn(server.url, 'admin', server.password)
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const run = (...words: string[]) =>
  runFilemgr(['jobs', ...words, '--database', database], { home: folder.path })

async function archiving(): Promise<Job> {
  const items = [{ path: '/much' }]
  const { id } = await started(admin, { kind: 'archive', items, to: '/much.tar.gz' })
  return until(admin, id, ({ bytesDone }) => bytesDone > 0)
}

test('a job is listed, paused and resumed while the server runs @spec-7.56', async () => {
  const { id } = await archiving()
  expect((await run('pause', String(id))).stdout).toBe(`Asked job ${id} to pause.\n`)
  await until(admin, id, ({ state }) => state === 'paused')
  const [listed] = JSON.parse((await run('ls', '--json')).stdout)
  expect(listed).toMatchObject({ id, username: 'admin', kind: 'archive', state: 'paused', root })
  expect((await run('ls')).stdout).toContain('/much → /much.tar.gz')
  expect((await run('ls', '--user', 'admin', '-n', '1')).stdout).toContain('paused')
  truncateSync(join(root, 'much/zeros'), 1)
  expect((await run('resume', String(id))).code).toBe(0)
  expect((await ended(admin, id)).state).toBe('done')
  expect(existsSync(join(root, 'much.tar.gz'))).toBe(true)
}, 60_000)

test('a paused job can be cancelled, and leaves no file', async () => {
  const { id } = await archiving()
  await run('pause', String(id))
  await until(admin, id, ({ state }) => state === 'paused')
  expect((await run('cancel', String(id))).code).toBe(0)
  expect((await ended(admin, id)).state).toBe('cancelled')
  expect(existsSync(join(root, 'much.tar.gz'))).toBe(false)
}, 60_000)

test('a waiting job can be paused, resumed and cancelled @spec-2.40', async () => {
  const first = await archiving()
  const { id } = await started(admin, { kind: 'sums', items: [{ path: '/much' }] })
  expect((await run('pause', String(id))).code).toBe(0)
  await until(admin, id, ({ state }) => state === 'paused')
  expect((await run('resume', String(id))).code).toBe(0)
  await until(admin, id, ({ state }) => state === 'waiting')
  expect((await run('cancel', String(id))).code).toBe(0)
  expect((await ended(admin, id)).state).toBe('cancelled')
  expect((await jobOf(admin, first.id)).state).toBe('running')
  expect((await control(admin, first.id, 'cancel')).status).toBe(200)
}, 60_000)

test('a job that is cancelled while no server runs is cancelled by the next one @spec-7.56', async () => {
  const { id } = await archiving()
  const { password } = server
  server.kill('SIGKILL')
  await server.stop()
  expect((await run('cancel', String(id))).code).toBe(0)
  server = await startServer({ root, database })
  admin = await signIn(server.url, 'admin', password)
  expect((await ended(admin, id)).state).toBe('cancelled')
  expect(existsSync(join(root, 'much.tar.gz'))).toBe(false)
  const over = await run('pause', String(id))
  expect([over.code, over.stderr]).toEqual([1, `Job ${id} has ended.\n`])
  expect(await run('cancel', '99')).toMatchObject({ code: 4 })
  expect(await run('ls', '-n', 'many')).toMatchObject({ code: 2 })
}, 60_000)

test('without a server, an earlier cancellation stays, and a pause can be withdrawn', async () => {
  const { id } = await archiving()
  const { password } = server
  server.kill('SIGKILL')
  await server.stop()
  const number = String(id)
  expect((await run('resume', number)).stderr).toBe(`Job ${id} is not paused.\n`)
  expect((await run('pause', number)).code).toBe(0)
  expect((await run('resume', number)).code).toBe(0)
  expect(await run('cancel', number, '99')).toMatchObject({ code: 4, stdout: '' })
  server = await startServer({ root, database })
  admin = await signIn(server.url, 'admin', password)
  await until(admin, id, ({ state }) => state === 'running')
  server.kill('SIGKILL')
  await server.stop()
  expect((await run('cancel', number)).code).toBe(0)
  const late = await run('pause', number)
  expect([late.code, late.stderr]).toEqual([1, `Job ${id} will be cancelled.\n`])
  server = await startServer({ root, database })
  admin = await signIn(server.url, 'admin', password)
  expect((await ended(admin, id)).state).toBe('cancelled')
}, 60_000)
