/** filemgr app-passwords: makes, lists and removes what programs sign in with, while the server runs. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { clientWith, outcome } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
let database: string
let server: TestServer
beforeEach(async () => {
  folder = temporaryFolder()
  database = join(folder.path, 'f.db')
  server = await startServer({ database })
  mkdirSync(join(server.root, 'photos'))
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const run = (...words: string[]) =>
  runFilemgr(['app-passwords', ...words, '--database', database], {
    home: folder.path,
  })
const look = (password: string, path = '/') =>
  outcome(clientWith(server.url, password.trim()).call('GET', API.resources + path))

test('an app password that the terminal makes works at once, and not after its removal', async () => {
  const made = await run(
    'add',
    'admin',
    'backup',
    '--permissions',
    'download,create',
    '--days',
    '3',
  )
  expect(made).toMatchObject({ code: 0 })
  expect(made.stdout.trim()).toMatch(/^fm_(?:\w{5}-){4}\w{5}$/)
  expect(await look(made.stdout)).toBe('200')
  const [listed] = JSON.parse((await run('ls', '--json')).stdout)
  expect(listed).toMatchObject({ username: 'admin', name: 'backup', folder: '/', paused: false })
  expect(listed.permissions).toEqual(['create', 'download'])
  expect(await run('rm', String(listed.id))).toMatchObject({ code: 0 })
  expect(await look(made.stdout)).toBe('401 unauthenticated')
})

test('it can be limited to a folder', async () => {
  const { stdout, code } = await run('add', 'admin', 'frame', '--folder', '/photos')
  expect(code).toBe(0)
  expect(await look(stdout)).toBe('200')
  expect(await look(stdout, '/photos/')).toBe('404 notFound')
})

test('what cannot be made is refused with the reason, and nothing is made', async () => {
  expect(await run('add', 'unknown', 'backup')).toMatchObject({ code: 4 })
  expect(await run('add', 'admin', 'backup', '--folder', '/nowhere')).toMatchObject({ code: 4 })
  const admin = await run('add', 'admin', 'backup', '--permissions', 'download,admin')
  expect(admin).toMatchObject({ code: 2 })
  expect(admin.stderr).toContain('admin is no permission of an app password')
  for (const days of ['x', '0', '99999999'])
    expect(await run('add', 'admin', 'backup', '--days', days)).toMatchObject({ code: 2 })
  expect(await run('add', 'admin', 'backup', '--permissions', '')).toMatchObject({ code: 2 })
  expect(await run('add', 'admin', 'x\u001b[31m')).toMatchObject({ code: 2 })
  expect((await run('ls', '--json')).stdout.trim()).toBe('[]')
  expect(await run('rm')).toMatchObject({ code: 2 })
  expect(await run('rm', '7')).toMatchObject({ code: 4 })
})

test('all of a user are removed at once', async () => {
  const [one, two] = [await run('add', 'admin', 'one'), await run('add', 'admin', 'two')]
  expect((await run('rm', '--user', 'admin')).stdout.trim().split('\n')).toHaveLength(2)
  expect(await look(one.stdout)).toBe('401 unauthenticated')
  expect(await look(two.stdout)).toBe('401 unauthenticated')
})
