/** filemgr journal: lists and undoes changes, and prunes the trash, while the server runs. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
let database: string
let server: TestServer
let admin: Client
beforeEach(async () => {
  folder = temporaryFolder()
  database = join(folder.path, 'f.db')
  server = await startServer({ database })
  admin = await signIn(server.url, 'admin', server.password)
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const run = (...words: string[]) =>
  runFilemgr(['journal', ...words, '--database', database], { home: folder.path })
const change = async (method: string, path: string, body?: string) => {
  const answer = await admin.call(method, API.resources + path, body)
  expect(answer.ok).toBe(true)
}
const content = (name: string) => readFileSync(join(server.root, name), 'utf8')

test('filemgr journal lists changes, and undoes them while the server runs', async () => {
  await change('POST', '/file', 'one')
  await change('PUT', '/file', 'two')
  const listed = await run('ls', '--json')
  const entries = JSON.parse(listed.stdout)
  expect(entries).toMatchObject([
    { id: 2, username: 'admin', verb: 'save', path: '/file', undoneBy: 0 },
    { id: 1, username: 'admin', verb: 'upload', path: '/file', undoneBy: 0 },
  ])
  expect((await run('undo', '2', '1')).stdout).toBe(
    'Undid entry 2. The undo is entry 3.\nUndid entry 1. The undo is entry 4.\n',
  )
  expect(existsSync(join(server.root, 'file'))).toBe(false)
  expect(await run('undo', '1')).toMatchObject({ code: 1 })
  expect((await run('ls', '-n', '2')).stdout).toContain('undo')
  expect((await run('ls', '--user', 'nobody', '--json')).stdout.trim()).toBe('[]')
  expect(await run('undo', '99')).toMatchObject({ code: 4 })
  expect(await run('ls', '-n', 'many')).toMatchObject({ code: 2 })
  const [newest] = await (await admin.call('GET', API.journal)).json()
  expect(newest).toMatchObject({ verb: 'undo', client: 'cli', undoOf: 1 })
})

test('filemgr journal refuses to undo a change of a file that has changed since, and says why', async () => {
  await change('POST', '/file', 'one')
  await change('PUT', '/file', 'two')
  const refused = await run('undo', '1')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('“file” has changed since.')
  expect(content('file')).toBe('two')
})

test('filemgr journal prune permanently deletes versions beyond the limit, or everything in the trash', async () => {
  await change('POST', '/file', 'one')
  await change('PUT', '/file', 'two')
  await change('DELETE', '/file')
  const kept = () => readdirSync(join(server.root, '.filemgr/trash')).length
  expect((await run('prune')).stdout).toBe('0 items were permanently deleted.\n')
  expect(kept()).toBe(2)
  expect((await run('prune', '--trash-versions', '0')).stdout).toBe(
    '1 item was permanently deleted.\n',
  )
  expect((await run('prune', '--all')).stdout).toBe('1 item was permanently deleted.\n')
  expect(kept()).toBe(0)
  expect(await (await admin.call('GET', API.trash)).json()).toEqual([])
})
