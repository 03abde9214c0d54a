/**
 * Two servers with one folder: through two mounts of a network file system, on which each machine has its own locks, and
 * on a local disk. Neither removes what the other one uses.
 */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noFuse, withFuse } from '../support/system/fuse.ts'
import { onOtherMachine } from '../support/system/mounts.ts'

const ALSO_SERVES = /Another filemgr process uses this folder/
const ALSO_SERVES_LINE = /Another filemgr process uses this folder at the same time: (.*)/
const UPLOAD = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '4' }
const PATCH = {
  'Tus-Resumable': '1.0.0',
  'Upload-Offset': '0',
  'Content-Type': 'application/offset+octet-stream',
}

let folder: ReturnType<typeof temporaryFolder>
let servers: TestServer[]
beforeEach(() => {
  folder = temporaryFolder()
  servers = []
  mkdirSync(at('root'))
})
afterEach(async () => {
  for (const server of servers) {
    server.kill('SIGKILL')
    await server.stop()
  }
  folder.remove()
})

const at = (...names: string[]) => join(folder.path, ...names)
const admin = (server: TestServer) => signIn(server.url, 'admin', PASSWORD)
const ready = (server: TestServer) => outcome(anonymous(server.url).call('GET', API.ready))

async function start(
  database: string,
  program?: [string, ...string[]],
  args: string[] = [],
): Promise<TestServer> {
  const server = await startServer({
    root: at('root'),
    database: at(database),
    args,
    ...(program && { program }),
  })
  servers.push(server)
  return server
}

/** The folders of the processes. */
const processFolders = (content: string) => readdirSync(at(content, '.filemgr/work'))

/** Uses each way to store a file, and expects success. */
async function storeFiles(client: Client, prefix: string): Promise<void> {
  const path = `${API.resources}/${prefix}`
  expect(await outcome(client.call('POST', `${path}-posted`, 'new'))).toBe('200')
  expect(await outcome(client.call('PUT', `${path}-posted`, 'saved'))).toBe('200')
  const created = await client.call('POST', `${API.tus}/${prefix}-tus`, undefined, UPLOAD)
  const address = created.headers.get('location') ?? ''
  expect(await outcome(client.call('PATCH', address, 'four', PATCH))).toBe('204')
  expect(await outcome(client.call('DELETE', `${path}-posted`))).toBe('204')
}

/** A request body that waits for `finish` before its last byte. */
function slowBody(): { body: ReadableStream<Uint8Array>; finish: () => void } {
  const finish = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('first'))
      await finish.promise
      controller.enqueue(new TextEncoder().encode('last'))
      controller.close()
    },
  })
  return { body, finish: () => finish.resolve() }
}

/** Waits until a staged file of the only process exists. */
async function staged(content: string): Promise<void> {
  for (;;) {
    const [process = ''] = processFolders(content)
    if (
      readdirSync(at(content, '.filemgr/work', process)).some((name) => /^[0-9a-f]{24}$/.test(name))
    )
      return
    await Bun.sleep(20)
  }
}

/** Inserts an unfinished journal entry of a process, as it exists while a change runs. */
function beginEntry(database: string, writer: string): number {
  using db = new Database(at(database))
  db.run('PRAGMA busy_timeout = 5000')
  const { lastInsertRowid } = db
    .query(
      `INSERT INTO journal
         (root, writer, at_ms, user_id, username, session, client, job_item, verb, scope, path, target, undo_of)
       VALUES (?, ?, ?, 1, 'admin', '', 'api', 0, 'write', '/', '/running', '', 0)`,
    )
    .run(at('root'), writer, Date.now())
  return Number(lastInsertRowid)
}

function hasEntry(database: string, id: number): boolean {
  using db = new Database(at(database), { readonly: true })
  return db.query('SELECT 1 FROM journal WHERE id = ?').get(id) !== null
}

const refusal = noFuse('sshfs')
if (refusal) process.stdout.write(`${refusal}\n`)
describe.skipIf(refusal !== undefined)('on a network file system', () => {
  const mount = () => withFuse('sshfs', at('root'))

  for (const [databases, second] of [
    ['two databases', 'b.db'],
    ['one database', 'a.db'],
  ] as const) {
    test(`the start of a second server does not stop uploads and saves of the first, with ${databases}`, async () => {
      const a = await start('a.db', onOtherMachine(mount()))
      const client = await admin(a)
      const [own = ''] = processFolders('root-sshfs')
      const slow = slowBody()
      const uploading = outcome(client.call('POST', `${API.resources}/slow`, slow.body))
      await staged('root-sshfs')
      const entry = beginEntry('a.db', own)

      const b = await start(second, mount())
      expect(await b.says(ALSO_SERVES_LINE)).toMatch(
        /^process \d+ of \S+\. They share users, trash and unfinished uploads only if/,
      )
      expect(processFolders('root-sshfs')).toContain(own)
      expect(hasEntry('a.db', entry)).toBe(true)
      slow.finish()
      expect(await uploading).toBe('200')
      await storeFiles(client, 'a')
      await storeFiles(await admin(b), 'b')
      expect([await ready(a), await ready(b)]).toEqual(['200', '200'])
    }, 60_000)
  }

  test('the leftovers of a killed server are removed by the next one on the same machine', async () => {
    const a = await start('a.db', mount())
    const [own = ''] = processFolders('root-sshfs')
    const entry = beginEntry('a.db', own)
    a.kill('SIGKILL')
    await a.stop()
    servers = []
    const b = await start('a.db', mount())
    expect(processFolders('root-sshfs')).toHaveLength(1)
    expect(hasEntry('a.db', entry)).toBe(false)
    expect(b.output()).not.toMatch(ALSO_SERVES)
  }, 60_000)
})

for (const [databases, second, sentence] of [
  ['one database', 'a.db', 'It uses the same database, so they share users, trash and'],
  ['two databases', 'b.db', 'It uses another database, so they share no users, trash or'],
] as const) {
  test(`a second server on a local folder says who else uses it, and both store files, with ${databases}`, async () => {
    const a = await start('a.db')
    const b = await start(second)
    expect(await b.says(ALSO_SERVES_LINE)).toBe(
      `process ${a.pid} of ${hostname()}. ${sentence} unfinished uploads.`,
    )
    await storeFiles(await admin(a), 'a')
    await storeFiles(await admin(b), 'b')
    expect(a.output()).not.toMatch(ALSO_SERVES)
  })
}

test('a folder for staged files that another program removed is made again and logged', async () => {
  const server = await start('a.db')
  const client = await admin(server)
  const [own = ''] = processFolders('root')
  rmSync(at('root/.filemgr/work', own), { recursive: true })
  await storeFiles(client, 'a')
  await server.says(/was removed by another program/)
  expect(existsSync(at('root/.filemgr/work', own))).toBe(true)
  rmSync(at('root/.filemgr/work', own), { recursive: true })
  expect(await ready(server)).toBe('200')
  expect(existsSync(at('root/.filemgr/work', own))).toBe(true)
})

test('a server that cannot stage files is not ready', async () => {
  const server = await start('a.db')
  expect(await ready(server)).toBe('200')
  rmSync(at('root/.filemgr/work'), { recursive: true })
  writeFileSync(at('root/.filemgr/work'), '')
  const isRefused = async () => (await ready(server)).startsWith('503')
  while (!(await isRefused())) await Bun.sleep(200)
})
