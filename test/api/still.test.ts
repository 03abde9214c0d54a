/**
 * What is being sent ends with the right to it: a download, an archive, a watched folder, what a public link leads to
 * and an upload, when the session, the person, the right or the link goes while bytes are on their way. Searches and
 * listings are sent as archives are; they are too short for a connection to be still sending them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { tarOf } from '../support/files/made-archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { beginRequest, chunk, until } from '../support/server/broken-connection.ts'
import type { Client } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const HUGE_BYTES = 2 ** 40
/** The largest size in the header of a tar, in whole blocks. */
const HUGE_MEMBER_BYTES = 8 ** 11 - 512

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const disk = (name: string) => join(app.root, 'anna', name)
  for (const name of ['huge.bin', 'ruled.bin']) {
    writeFileSync(disk(name), '')
    truncateSync(disk(name), HUGE_BYTES)
  }
  const header = tarOf({ name: 'in', says: { sizeBytes: HUGE_MEMBER_BYTES } }).subarray(0, 512)
  writeFileSync(disk('huge.bin.tar'), header)
  truncateSync(disk('huge.bin.tar'), HUGE_MEMBER_BYTES + 1024)
})
afterAll(() => app.stop())

interface Sent {
  /** Ends the connection. */
  cut(): void
  /** Reads all that comes until the connection ends. @returns whether that was the whole answer */
  rest(): Promise<boolean>
}

/**
 * Begins to read an answer, and stops when some of it is there.
 *
 * @param path of a unix socket, instead of the address of the server
 */
function reads(target: string, headers: Record<string, string> = {}, path?: string): Promise<Sent> {
  const { hostname, port } = new URL(app.url)
  const lines = Object.entries({ Host: hostname, Connection: 'close', ...headers })
  const lead = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((done, fail) => {
    const socket = connect(path ? { path } : { port: Number(port), host: hostname })
    let [head, last, bytes] = ['', '', 0]
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => resolve())
    })
    // A connection that is reset has ended, too.
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      const text = part.toString('latin1')
      bytes += part.length
      last = text.slice(-LAST_PIECE.length)
      if (head.includes(END_OF_HEAD)) return
      head += text
      if (!head.includes(END_OF_HEAD)) return
      head = head.slice(0, head.indexOf(END_OF_HEAD) + END_OF_HEAD.length)
      if (!/^HTTP\/1.1 20[06]/.test(head)) return fail(new Error(`${target}: ${head}`))
      socket.pause()
      done({
        cut: () => socket.destroy(),
        async rest() {
          socket.resume()
          await closed
          const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN)
          return last === LAST_PIECE || bytes - head.length >= length
        },
      })
    })
    socket.write(`GET ${target} HTTP/1.1\r\n${lead}\r\n`)
  })
}

const END_OF_HEAD = '\r\n\r\n'
/** How a body ends that is sent in pieces. */
const LAST_PIECE = '0\r\n\r\n'

let number = 0
async function guest(...words: string[]): Promise<{ name: string; client: Client }> {
  number += 1
  const name = `guest${number}`
  return { name, client: await app.person(name, '--scope', '/anna', ...words) }
}

const SPAN = { Range: 'bytes=5-' }
const ANSWERS: [target: string, headers?: Record<string, string>][] = [
  [`${API.raw}/huge.bin`],
  [`${API.raw}/huge.bin`, SPAN],
  [`${API.raw}/?algo=tar`],
  [`${API.raw}/?algo=zip`],
  [`${API.archiveFile}/huge.bin.tar?inside=/in`],
  [`${API.events}/`],
]

type Loss = (name: string, client: Client) => Promise<unknown>

const LOSSES: Record<string, Loss> = {
  'the session': (_, client) => client.call('POST', API.logout),
  'the right to download': (name) =>
    app.runCommand('users', 'update', name, '--perm.download=false', '--perm.share=false'),
  'the person': (name) => app.runCommand('users', 'rm', name),
}

test.each(Object.entries(LOSSES))(
  '%s ends, and with it all that is being sent',
  async (_, lose) => {
    const { name, client } = await guest()
    const sent = await Promise.all(
      ANSWERS.map(([target, more]) => reads(target, { 'X-Auth': client.token, ...more })),
    )
    await lose(name, client)
    const whole = await Promise.all(sent.map(({ rest }) => rest()))
    expect(whole).toEqual(ANSWERS.map(() => false))
    await app.server.says(/huge\.bin: 200 .*The session ended during the request/)
  },
)

test('a rule closes a place, and a download from there ends', async () => {
  const { client } = await guest()
  const sent = await reads(`${API.raw}/ruled.bin`, { 'X-Auth': client.token })
  await app.runCommand('rules', 'add', '--regex', '/ruled[.]bin$')
  expect(await sent.rest()).toBe(false)
  await app.server.says(/ruled\.bin: 200 .*You do not have access to this/)
})

test('a rule that denies a file ends the download of an earlier version', async () => {
  const { client } = await guest()
  const file = join(app.root, 'anna/versioned.bin')
  writeFileSync(file, '')
  truncateSync(file, 2 ** 29)
  await client.call('PUT', `${API.resources}/versioned.bin`, 'new')
  const versions = `${API.versions}/versioned.bin`
  const [version] = await (await client.call('GET', versions)).json()
  const sent = await reads(`${versions}?id=${version.id}`, { 'X-Auth': client.token })
  await app.runCommand('rules', 'add', '--regex', '/versioned[.]bin$')
  expect(await sent.rest()).toBe(false)
  await app.server.says(/versioned\.bin: 200 .*You do not have access to this/)
})

test('a rule that denies a picture ends the sending of its large preview, which is the file itself', async () => {
  const { client } = await guest()
  const file = join(app.root, 'anna/animated.gif')
  writeFileSync(file, '')
  truncateSync(file, 2 ** 29)
  const sent = await reads(`${API.preview}/big/animated.gif`, { 'X-Auth': client.token })
  await app.runCommand('rules', 'add', '--regex', '/animated[.]gif$')
  expect(await sent.rest()).toBe(false)
  await app.server.says(/animated\.gif: 200 .*You do not have access to this/)
})

describe('at a unix socket', () => {
  const folder = temporaryFolder()
  const socket = join(folder.path, 'filemgr.sock')
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ args: ['--socket', socket, '--auth.method', 'noauth'] })
    writeFileSync(join(server.root, 'huge.bin'), '')
    truncateSync(join(server.root, 'huge.bin'), HUGE_BYTES)
  })
  afterAll(async () => {
    await server.stop()
    folder.remove()
  })

  const enter = async () => {
    const answer = await fetch(`http://localhost${API.login}`, { method: 'POST', unix: socket })
    return { 'X-Auth': await answer.text() }
  }
  const openFiles = () =>
    readdirSync(`/proc/${server.pid}/fd`).filter((one) => {
      try {
        return readlinkSync(`/proc/${server.pid}/fd/${one}`).endsWith('/huge.bin')
      } catch {
        return false
      }
    }).length

  test('a file that is sent at a unix socket ends with its session, and no other does', async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, enter))
    const sent = await Promise.all(
      sessions.map((headers) => reads(`${API.raw}/huge.bin`, headers, socket)),
    )
    // Each second one: the others go on, whichever of them the runtime opened first.
    const [gone, left] = [0, 1].map((rest) => sessions.filter((_, at) => at % 2 === rest))
    for (const headers of gone ?? []) {
      await fetch(`http://localhost${API.logout}`, { method: 'POST', unix: socket, headers })
    }
    const ended = sent.filter((_, at) => at % 2 === 0)
    expect(await Promise.all(ended.map(({ rest }) => rest()))).toEqual(ended.map(() => false))
    // The descriptor that was looked at, and that of the runtime.
    await until(() => openFiles() === 2 * (left?.length ?? 0))
    for (const one of sent) one.cut()
    await until(() => openFiles() === 0)
  })
})

describe('a public link', () => {
  const HOUR = { expires: '1', unit: 'hours' }
  const ENDS: Record<
    string,
    { options?: object; end: (name: string, hashes: string[]) => Promise<unknown> }
  > = {
    'is removed': {
      end: (_, hashes) =>
        Promise.all(hashes.map((hash) => app.admin.call('DELETE', `${API.share}/${hash}`))),
    },
    'is over': { options: { expires: '6', unit: 'seconds' }, end: async () => undefined },
    'loses the right of its owner': {
      options: HOUR,
      end: (name) => app.runCommand('users', 'update', name, '--perm.share=false'),
    },
    'loses its owner': { end: (name) => app.runCommand('users', 'rm', name) },
  }
  test.each(Object.entries(ENDS))(
    '%s, and what is sent through it ends',
    async (_, { options, end }) => {
      const { name, client } = await guest()
      const shared = async (path: string) => {
        const made = await client.call('POST', `${API.share}${path}`, options ?? {})
        return ((await made.json()) as { hash: string }).hash
      }
      const [file, folder] = [await shared('/huge.bin'), await shared('/')]
      const targets = [
        `${API.publicDownload}/${file}`,
        `${API.publicDownload}/${folder}/huge.bin`,
        `${API.publicDownload}/${folder}/?algo=tar`,
        `${API.publicArchiveFile}/${folder}/huge.bin.tar?inside=/in`,
      ]
      const sent = await Promise.all(targets.map((target) => reads(target)))
      await end(name, [file, folder])
      const whole = await Promise.all(sent.map(({ rest }) => rest()))
      expect(whole).toEqual(targets.map(() => false))
    },
  )
})

describe('an upload', () => {
  const TUS = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  const PART = 'as much as comes of it'
  const staged = () =>
    readdirSync(join(app.root, '.filemgr'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter(({ parentPath, name }) => statSync(join(parentPath, name)).size === PART.length)

  test('an upload is refused when its session ends', async () => {
    const { name, client } = await guest()
    writeFileSync(join(app.root, 'anna', `${name}-kept`), 'kept')
    await client.call('POST', `${API.tus}/${name}-sent`, undefined, { 'Upload-Length': '1000' })
    const headers = { 'X-Auth': client.token, 'Transfer-Encoding': 'chunked' }
    const lines = await Promise.all(
      Object.entries({
        [`POST ${API.resources}/${name}-new`]: {},
        [`PUT ${API.resources}/${name}-kept`]: {},
        [`PATCH ${API.tus}/${name}-sent`]: TUS,
      }).map(([first, more]) => beginRequest(app.url, first, { ...headers, ...more }, chunk(PART))),
    )
    await until(() => staged().length === lines.length)
    await client.call('POST', API.logout)
    // Nothing more is sent: the server speaks first.
    for (const line of lines) {
      await line.receives(/^HTTP\/1\.1 401 /)
      line.cut()
    }
    expect(readdirSync(join(app.root, 'anna')).filter((file) => file.startsWith(name))).toEqual([
      `${name}-kept`,
    ])
    expect(readFileSync(join(app.root, 'anna', `${name}-kept`), 'utf8')).toBe('kept')
  })
})
