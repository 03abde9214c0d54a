/** Many small files in one request. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import type { JournalEntry } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { DEPTH_MAX } from '#wire/paths.ts'
import type { BatchInfo, BatchResult } from '#wire/shapes/batch.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const PASSWORD = 'a long sentence of words'

let server: TestServer
let admin: Client
/** A folder of each test. */
let folder: string
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, 'admin', server.password)
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = basename(mkdtempSync(join(server.root, 'batch-')))
})

const disk = (name: string) => join(server.root, folder, name)
const read = (name: string) => readFileSync(disk(name), 'utf8')

type File = [info: BatchInfo, content: string | Blob]

function formOf(files: readonly File[]): FormData {
  const form = new FormData()
  for (const [info, content] of files) {
    form.append('info', JSON.stringify(info))
    form.append('file', content instanceof Blob ? content : new Blob([content]), 'file')
  }
  return form
}

async function send(
  files: readonly File[],
  { client = admin, query = '' } = {},
): Promise<BatchResult[]> {
  const answer = await client.call('POST', `${API.batch}/${folder}/${query}`, formOf(files))
  expect(answer.status).toBe(200)
  return (await answer.json()).results
}

const codes = (results: BatchResult[]) => results.map(({ status, code }) => code ?? status)

test('each file of a batch is written with its time, in folders that are created', async () => {
  const results = await send([
    [{ path: 'one', modified: 1_000_000_000_000 }, 'first'],
    [{ path: 'deep/er/zwei "2" %22\n.txt' }, 'second'],
    [{ path: 'empty' }, ''],
  ])
  expect(codes(results)).toEqual([200, 200, 200])
  expect(results[1]?.path).toBe(`/${folder}/deep/er/zwei "2" %22\n.txt`)
  expect([read('one'), read('deep/er/zwei "2" %22\n.txt'), read('empty')]).toEqual([
    'first',
    'second',
    '',
  ])
  expect(statSync(disk('one')).mtimeMs).toBe(1_000_000_000_000)
  const { headers } = await admin.call('GET', `${API.resources}/${folder}/one`)
  expect(results[0]?.etag).toBe(headers.get('etag') ?? '')
})

test('in a form without info parts, as curl sends it, the name of each file is its path', async () => {
  const form = new FormData()
  for (const name of ['a', 'in/b']) form.append('file', new Blob([name]), name)
  const answer = await admin.call('POST', `${API.batch}/${folder}/`, form)
  expect(codes((await answer.json()).results)).toEqual([200, 200])
  expect([read('a'), read('in/b')]).toEqual(['a', 'in/b'])
})

test('hundreds of files of a batch arrive complete, with one journal entry and one audit record', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `file ${at}`)
  const results = await send(names.map((name) => [{ path: name }, name.repeat(100)]))
  expect(results.map(({ path }) => path)).toEqual(names.map((name) => `/${folder}/${name}`))
  for (const name of names) expect(read(name)).toBe(name.repeat(100))
  const entries = await journalOf(admin)
  expect(entries.map(({ verb, path }) => [verb, path])).toEqual([['upload', `/${folder}`]])
  const bytes = names.reduce((sum, name) => sum + name.length * 100, 0)
  expect(await recordsOf(folder)).toEqual([
    { path: `/${folder}`, bytes, times: 300, status: 200, fault: '', entry: entries[0]?.id ?? 0 },
  ])
})

test('a refused file of a batch does not affect the others', async () => {
  // With the folder of the request as deep as a path may be.
  const deepest = Array(DEPTH_MAX - 1)
    .fill('d')
    .join('/')
  mkdirSync(disk(deepest), { recursive: true })
  writeFileSync(disk('taken'), 'old')
  mkdirSync(disk('folder'))
  const results = await send([
    [{ path: 'before' }, 'x'],
    [{ path: 'taken' }, 'new'],
    [{ path: 'folder' }, 'x'],
    [{ path: 'nul\0' }, 'x'],
    [{ path: 'large' }, 'x'.repeat(SERVER_LIMITS.batchFileMaxBytes + 1)],
    [{ path: 'largest' }, 'x'.repeat(SERVER_LIMITS.batchFileMaxBytes)],
    [{ path: '../../escape' }, 'x'],
    [{ path: `${deepest}/file` }, 'x'],
    [{ path: 'after' }, 'x'],
  ])
  expect(codes(results)).toEqual([
    200,
    'conflict',
    'isDirectory',
    'badRequest',
    'tooLarge',
    200,
    200,
    'badRequest',
    200,
  ])
  expect(results.map(({ fault }) => fault)).toEqual([
    undefined,
    'conflict',
    'isDirectory',
    'badRequest',
    'tooLarge',
    undefined,
    undefined,
    `badRequest; reason=tooDeep; levels=${DEPTH_MAX}`,
    undefined,
  ])
  expect(read('taken')).toBe('old')
  // Never above the folder of the request.
  expect(read('escape')).toBe('x')
  expect(existsSync(disk('large'))).toBe(false)
  expect(readdirSync(disk(deepest))).toEqual([])
})

test('a batch decides for each file, or for all, whether it replaces an existing file', async () => {
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(disk(name), 'old')
  const own = await send([
    [{ path: 'a', override: true }, 'new'],
    [{ path: 'b' }, 'new'],
  ])
  expect(codes(own)).toEqual([200, 'conflict'])
  const all = await send(
    [
      [{ path: 'c' }, 'new'],
      [{ path: 'd', override: false }, 'new'],
    ],
    { query: '?override=true' },
  )
  expect(codes(all)).toEqual([200, 'conflict'])
  expect(['a', 'b', 'c', 'd'].map(read)).toEqual(['new', 'old', 'new', 'old'])
})

test('rules and rights are checked for each file of a batch', async () => {
  const which = { what: 'user', which: [], current_password: server.password }
  const perm = { create: true, overwrite: false, download: true }
  const rules = [{ allow: false, regex: false, path: `/${folder}/secret`, regexp: { raw: '' } }]
  const data = { username: 'anna', password: PASSWORD, scope: '/', perm, rules, locale: 'en' }
  const made = await admin.call('POST', API.users, { ...which, data })
  expect(made.status).toBe(201)
  const anna = await signIn(server.url, 'anna', PASSWORD)
  writeFileSync(disk('there'), 'old')
  const results = await send(
    [
      [{ path: 'secret/file' }, 'x'],
      [{ path: 'there', override: true }, 'x'],
      [{ path: 'mine' }, 'x'],
      [{ path: '.filemgr/mine' }, 'x'],
    ],
    { client: anna },
  )
  expect(codes(results)).toEqual(['forbidden', 'forbidden', 200, 'forbidden'])
  expect(read('there')).toBe('old')
  const { id } = (await (await admin.call('GET', API.users)).json()).find(
    ({ username }: { username: string }) => username === 'anna',
  )
  const less = { id, perm: { create: false } }
  const changed = { ...which, which: ['perm'], data: less }
  await admin.call('PUT', `${API.users}/${id}`, changed)
  const again = await signIn(server.url, 'anna', PASSWORD)
  const form = formOf([[{ path: 'more' }, 'x']])
  expect(await outcome(again.call('POST', `${API.batch}/${folder}/`, form))).toBe('403 forbidden')
})

test('a batch that is not a valid form is refused', async () => {
  const call = (body: BodyInit, headers = {}) =>
    outcome(admin.call('POST', `${API.batch}/${folder}/`, body, headers))
  const typed = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const file = 'Content-Disposition: form-data; name="file"; filename="f"'
  expect(await call('bytes')).toBe('415 unsupported')
  expect(await call('', { 'Content-Type': 'multipart/form-data' })).toBe('415 unsupported')
  expect(await call('--x\r\nno head\r\n\r\nbytes\r\n--x--', typed)).toBe('400 badRequest')
  expect(await call(`--x\r\n${file}\r\n\r\nbytes\r\n--x??`, typed)).toBe('400 badRequest')
  expect(await call(`--x\r\n${file}${' '.repeat(20_000)}\r\n\r\n\r\n--x--`, typed)).toBe(
    '400 badRequest',
  )
  const form = new FormData()
  form.append('other', 'x')
  expect(await call(form)).toBe('400 badRequest')
  const wrong = new FormData()
  wrong.append('info', '{"path":1}')
  expect(await call(wrong)).toBe('400 badRequest')
})

test('a batch that ends early leaves complete files and no partial one', async () => {
  const typed = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const part = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${name}`
  const cut = `${part('whole')}\r\n${part('part')}`
  const call = admin.call('POST', `${API.batch}/${folder}/`, cut, typed)
  expect(await outcome(call)).toBe('408 aborted')
  expect(readdirSync(disk(''))).toEqual(['whole'])
  expect(read('whole')).toBe('whole')
})

test('a broken connection leaves complete files of a batch and no partial one', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const part = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${name}`
  socket.write(
    `POST ${API.batch}/${folder}/ HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${TOKEN_HEADER}: ${admin.token}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n` +
      `${part('whole')}\r\n${part('half')}`,
  )
  while (!existsSync(disk('whole'))) await Bun.sleep(5)
  socket.destroy()
  // A next batch is accepted, and nothing is left of the partial file.
  await send([[{ path: 'next' }, 'x']])
  expect(readdirSync(disk('')).sort()).toEqual(['next', 'whole'])
})

test('a batch may have a limited number of files, and of bytes', async () => {
  const many = Array.from(
    { length: SERVER_LIMITS.batchFilesMax + 1 },
    (_, at): File => [{ path: `${at}` }, ''],
  )
  const call = (files: File[]) =>
    outcome(admin.call('POST', `${API.batch}/${folder}/`, formOf(files)))
  expect(await call(many)).toBe('413 tooLarge')
  expect(readdirSync(disk('')).length).toBe(SERVER_LIMITS.batchFilesMax)
  const megabyte = new Blob(['x'.repeat(SERVER_LIMITS.batchFileMaxBytes)])
  const count = SERVER_LIMITS.batchMaxBytes / SERVER_LIMITS.batchFileMaxBytes
  const large = Array.from({ length: count }, (_, at): File => [{ path: `m${at}` }, megabyte])
  expect(await call(large)).toBe('413 tooLarge')
})

test('a user may send a limited number of batches at once @limit-5', async () => {
  const { hostname, port } = new URL(server.url)
  const begin = () => {
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST ${API.batch}/${folder}/ HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${TOKEN_HEADER}: ${admin.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x`,
    )
    return socket
  }
  const sockets = Array.from({ length: CONCURRENCY_LIMITS.batches.perKey }, begin)
  const form = () => formOf([[{ path: 'more', override: true }, 'x']])
  const call = () => admin.call('POST', `${API.batch}/${folder}/`, form())
  // A call may get a permit before a socket that was opened earlier; then one more socket is needed.
  let answer = await call()
  while (answer.status !== 429) {
    sockets.push(begin())
    answer = await call()
  }
  expect(await answer.text()).toContain(CONCURRENCY_LIMITS.batches.message)
  for (const socket of sockets) socket.destroy()
  while ((await call()).status !== 200) await Bun.sleep(5)
})

test('the audit has a record of the stored files of a batch, and one for each reason of refusal', async () => {
  await send([[{ path: 'recorded' }, 'seven b']])
  expect(await recordsOf(`${folder}/recorded`)).toMatchObject([
    { path: `/${folder}/recorded`, bytes: 7, times: 1, status: 200 },
  ])
  for (const name of ['a', 'b']) writeFileSync(disk(name), 'old')
  await send([
    [{ path: 'a' }, 'x'],
    [{ path: 'c' }, '12'],
    [{ path: 'b' }, 'xyz'],
    [{ path: 'nul\0' }, '1'],
    [{ path: 'd' }, '3'],
  ])
  const records = (await recordsOf(folder)).slice(0, 3)
  const [stored, invalid, taken] = records.toSorted((one, other) => one.status - other.status)
  expect(stored).toMatchObject({ path: `/${folder}`, bytes: 3, times: 2, status: 200, fault: '' })
  expect(taken).toMatchObject({ path: `/${folder}`, bytes: 4, times: 2, status: 409, entry: 0 })
  expect(invalid).toMatchObject({ path: `/${folder}`, times: 1, fault: 'badRequest' })
})

test('a batch that ends early has its journal entry and its record', async () => {
  const typed = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const part = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${name}`
  const cut = `${part('one')}\r\n${part('two')}\r\n${part('half')}`
  const call = admin.call('POST', `${API.batch}/${folder}/`, cut, typed)
  expect(await outcome(call)).toBe('408 aborted')
  const [entry] = await journalOf(admin)
  expect((await recordsOf(folder)).map(({ times, entry, fault }) => [times, entry, fault])).toEqual(
    [
      [1, 0, 'aborted'],
      [2, entry?.id ?? 0, ''],
    ],
  )
  expect(await undo(entry?.id)).toBe('200')
  expect(readdirSync(disk(''))).toEqual([])
})

test('an undo of a batch takes back all of it, as it was before @spec-2.35', async () => {
  writeFileSync(disk('there'), 'there')
  writeFileSync(disk('replaced'), 'old')
  const results = await send([
    [{ path: 'a' }, 'a'],
    [{ path: 'sub/b' }, 'b'],
    [{ path: 'there' }, 'taken'],
    [{ path: 'replaced', override: true }, 'new'],
  ])
  const [entry] = await journalOf(admin)
  expect(results.map((result) => result.entry)).toEqual([
    entry?.id,
    entry?.id,
    undefined,
    entry?.id,
  ])
  expect(await undo(entry?.id)).toBe('200')
  expect(readdirSync(disk('')).sort()).toEqual(['replaced', 'there'])
  expect(['there', 'replaced'].map(read)).toEqual(['there', 'old'])
})

test('an undo of a batch is refused as a whole if one file has changed since', async () => {
  await send([
    [{ path: 'a' }, 'a'],
    [{ path: 'b' }, 'b'],
  ])
  const [entry] = await journalOf(admin)
  writeFileSync(disk('a'), 'changed by another program')
  expect(await undo(entry?.id)).toBe('412 precondition')
  expect(readdirSync(disk('')).sort()).toEqual(['a', 'b'])
})

test('a batch that names one path twice can be undone, whichever file was refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const files = Array.from({ length: 8 }, (_, at): File => [{ path: 'same' }, `${at}`])
    const results = await send([...files, [{ path: 'other' }, 'x']])
    expect(codes(results).filter((code) => code === 200)).toHaveLength(2)
    const [entry] = await journalOf(admin)
    expect(await undo(entry?.id)).toBe('200')
    expect(readdirSync(disk(''))).toEqual([])
  }
})

test('batches that ran at the same time are taken back with the folders that they shared', async () => {
  for (const isLastFirst of [true, false]) {
    // The other batch makes the folder `in/b`, while this one has begun and needs it later.
    const finish = await beginBatch('in/a/1', 'in/b/1')
    while (!existsSync(disk('in/a/1'))) await Bun.sleep(5)
    await send([[{ path: 'in/b/2' }, 'x']])
    await finish()
    const entries = (await journalOf(admin)).slice(0, 2).map(({ id }) => id)
    const order = isLastFirst ? entries : entries.toReversed()
    for (const id of order) expect(await undo(id)).toBe('200')
    expect(readdirSync(disk(''))).toEqual([])
    for (const id of order.toReversed()) {
      expect(await outcome(admin.call('POST', `${API.journal}/redo`, { id }))).toBe('200')
    }
    expect(['in/a/1', 'in/b/1', 'in/b/2'].map(read)).toEqual(['in/a/1', 'in/b/1', 'x'])
    for (const id of order) expect(await undo(id)).toBe('200')
    expect(readdirSync(disk(''))).toEqual([])
  }
})

test('an upload that is in effect again keeps its folder', async () => {
  const finish = await beginBatch('in/a/1', 'in/b/1')
  while (!existsSync(disk('in/a/1'))) await Bun.sleep(5)
  await send([[{ path: 'in/b/2' }, 'x']])
  await finish()
  const [last, first] = (await journalOf(admin)).map(({ id }) => id)
  expect(await undo(last)).toBe('200')
  expect(await outcome(admin.call('POST', `${API.journal}/redo`, { id: last }))).toBe('200')
  await admin.call('DELETE', `${API.resources}/${folder}/in/b/2`)
  expect(await undo(first)).toBe('200')
  expect(existsSync(disk('in/b'))).toBe(true)
})

/** Sends the first file of a batch. @returns a function that sends the second, and waits for the response */
async function beginBatch(...names: [string, string]): Promise<() => Promise<void>> {
  const [first, second] = names.map(
    (name) =>
      `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${name}\r\n`,
  )
  const { promise: isFinished, resolve: finish } = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(controller) {
      // The end of a part is the beginning of the next one.
      controller.enqueue(Buffer.from(`${first}--x\r\n`))
      await isFinished
      controller.enqueue(Buffer.from(`${second?.slice('--x\r\n'.length)}--x--`))
      controller.close()
    },
  })
  const answer = fetch(`${server.url}${API.batch}/${folder}/`, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'multipart/form-data; boundary=x',
      [TOKEN_HEADER]: admin.token ?? '',
    },
  })
  return async () => {
    finish()
    expect((await answer).status).toBe(200)
  }
}

/** The newest entry first. */
async function journalOf(client: Client): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = await (
    await client.call('GET', `${API.journal}?limit=1000`)
  ).json()
  return entries.filter(({ path }) => path === `/${folder}`)
}

const undo = (id: number | undefined) => outcome(admin.call('POST', `${API.journal}/undo`, { id }))

/** The newest record first. */
async function recordsOf(path: string) {
  const answer = await admin.call('GET', `${API.audit}?path=${path}`)
  const records: AuditEntry[] = await answer.json()
  return records.map(({ path, bytes, times, status, fault, entry }) => ({
    path,
    bytes,
    times,
    status,
    fault,
    entry,
  }))
}
