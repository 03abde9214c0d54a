/**
 * Connections that break during every kind of streamed request. Afterwards the server holds nothing of them: no
 * descriptor, thread, lock or staged file, and it uses no processor time. FILEMGR_HANG_UPS is the number of points at
 * which each kind of request is interrupted.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { CODEC_THREADS } from '#server/archives/codecs/codec-workers.ts'
import { API } from '#wire/api/routes.ts'
import { until } from '../support/server/broken-connection.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const POINTS = Number(process.env.FILEMGR_HANG_UPS ?? 4)
const LENGTH = 600_000
const CONTENT = randomBytes(LENGTH)
const SUM = `sha256 ${createHash('sha256').update(CONTENT).digest('base64')}`

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(disk('many/deep'), { recursive: true })
  for (let at = 0; at < 400; at += 1) writeFileSync(disk(`many/deep/file ${at}.txt`), `${at}`)
  writeFileSync(disk('many/big.bin'), randomBytes(12 * 2 ** 20))
  mkdirSync(disk('few'))
  writeFileSync(disk('few/big.bin'), randomBytes(5 * 2 ** 20))
  writeFileSync(disk('saved.bin'), 'whole')
  writeFileSync(disk('film.srt'), `1\n00:00:01,000 --> 00:00:02,000\n${'word '.repeat(200_000)}\n`)
  const picture = { create: { width: 3000, height: 3000, channels: 3, background: 'red' } } as const
  writeFileSync(disk('picture.png'), await sharp(picture).png().toBuffer())
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const proc = (name: string) => `/proc/${app.server.pid}/${name}`
const threads = () => readdirSync(proc('task')).length
const staged = () => {
  const work = join(app.root, '.filemgr/work')
  return readdirSync(work).flatMap((name) => readdirSync(join(work, name)))
}

/** The open files of the process in the served tree, and the number of its sockets. */
function openDescriptors(): { files: string[]; sockets: number } {
  const paths = readdirSync(proc('fd')).flatMap((fd) => {
    try {
      return [readlinkSync(proc(`fd/${fd}`))]
    } catch {
      return []
    }
  })
  const files = paths.filter(
    (path) => path.startsWith(app.root) && !path.includes('/.filemgr/work'),
  )
  return {
    files: files.sort(),
    sockets: paths.filter((path) => path.startsWith('socket:')).length,
  }
}

/** The processor time of the server so far, in hundredths of a second. */
function cpuTime(): number {
  const [, fields = ''] = readFileSync(proc('stat'), 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return (user ?? 0) + (system ?? 0)
}

/** Where a request is interrupted. */
interface BreakPoint {
  /** Bytes of the body that are sent. */
  send?: number
  /** Bytes of the response that are read. */
  read?: number
}

/** Sends a request, or a part of it, reads a part of the response, and resets the connection. */
function breakOff(
  first: string,
  headers: Record<string, string>,
  body: Uint8Array,
  { send = body.length, read = 0 }: BreakPoint,
): Promise<void> {
  const { hostname, port } = new URL(app.url)
  const all = {
    Host: hostname,
    'X-Auth': app.anna.token,
    ...(body.length > 0 && { 'Content-Length': String(body.length) }),
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = 0
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.on('data', (part) => {
      received += part.length
      if (received >= read) socket.resetAndDestroy()
    })
    socket.write(`${first} HTTP/1.1\r\n${head.join('')}\r\n`)
    socket.write(body.subarray(0, send), () => {
      if (read === 0) socket.resetAndDestroy()
    })
  })
}

/** The numbers of bytes after which a transfer of this length is interrupted, beginning with 0. */
const points = (length: number) =>
  Array.from({ length: POINTS }, (_, at) => Math.floor((length * at) / POINTS))

const NOTHING = new Uint8Array()
/** Requests with the approximate lengths of their responses. */
const READS: [description: string, target: string, lengthBytes: number][] = [
  ['a download', `${API.raw}/many/big.bin`, 12 * 2 ** 20],
  ['a range', `${API.raw}/many/big.bin`, 4 * 2 ** 20],
  ['a zip', `${API.raw}/many/?algo=zip`, 12 * 2 ** 20],
  ['a tar', `${API.raw}/many/?algo=tar`, 12 * 2 ** 20],
  ['a tar.gz', `${API.raw}/many/?algo=targz`, 12 * 2 ** 20],
  ['a tar.zst', `${API.raw}/many/?algo=tarzst`, 12 * 2 ** 20],
  ['a tar.lz4', `${API.raw}/many/?algo=tarlz4`, 12 * 2 ** 20],
  ['a tar.sz', `${API.raw}/many/?algo=tarsz`, 12 * 2 ** 20],
  ['a tar.br', `${API.raw}/many/?algo=tarbr`, 12 * 2 ** 20],
  ['a tar.xz', `${API.raw}/few/?algo=tarxz`, 5 * 2 ** 20],
  ['a tar.bz2', `${API.raw}/few/?algo=tarbz2`, 5 * 2 ** 20],
  ['a search', `${API.search}/?query=file`, 20_000],
  ['a ranked search', `${API.find}/?query=file`, 2000],
  ['a search inside files', `${API.findText}/?query=word`, 200],
  ['dates of pictures', `${API.media}/`, 40],
  ['events', `${API.events}/many/`, 150],
  ['a preview', `${API.preview}/thumb/picture.png`, 1000],
  ['subtitles', `${API.subtitle}/film.srt`, 900_000],
  ['a checksum', `${API.resources}/many/big.bin?checksum=sha256`, 200],
  ['a flat list', `${API.resources}/recursive/many`, 20_000],
]

test('clients that disconnect leave no descriptor, thread, lock, staged file or work', async () => {
  const ask = (target: string) => outcome(app.anna.call('GET', target))
  // Each request once, so that everything that stays loaded is loaded before the measurement.
  for (const [, target] of READS) {
    await (target.includes(API.events)
      ? breakOff(`GET ${target}`, {}, NOTHING, { read: 50 })
      : ask(target))
  }
  await until(() => openDescriptors().files.every((file) => !file.endsWith('big.bin')))
  const before = { ...openDescriptors(), threads: threads(), output: app.server.output().length }

  for (const [description, target, length] of READS) {
    const headers: Record<string, string> =
      description === 'a range' ? { Range: 'bytes=1000-5000000' } : {}
    for (const read of points(length)) await breakOff(`GET ${target}`, headers, NOTHING, { read })
    await breakOff(`HEAD ${target}`, headers, NOTHING, { read: 0 })
  }

  const upload = { 'Content-Type': 'application/offset+octet-stream' }
  const begin = (name: string) =>
    outcome(
      app.anna.call('POST', `${API.tus}/${name}`, undefined, { 'Upload-Length': String(LENGTH) }),
    )
  const offsetOf = async (name: string) => {
    const answer = await app.anna.call('HEAD', `${API.tus}/${name}`)
    expect(`${name} ${answer.status}`).toBe(`${name} 200`)
    return Number(answer.headers.get('upload-offset'))
  }
  for (const name of ['plain', 'summed']) {
    const checksum: Record<string, string> = name === 'summed' ? { 'Upload-Checksum': SUM } : {}
    expect(await begin(name)).toBe('201')
    for (const send of points(LENGTH)) {
      // The upload continues where it stopped: it is not locked.
      const offset = await offsetOf(name)
      if (name === 'summed') expect(offset).toBe(0)
      const headers = { ...upload, ...checksum, 'Upload-Offset': String(offset) }
      const rest = CONTENT.subarray(offset)
      await breakOff(`PATCH ${API.tus}/${name}`, headers, rest, {
        send: Math.min(send, rest.length - 1),
      })
    }
    const offset = await offsetOf(name)
    const last = app.anna.call('PATCH', `${API.tus}/${name}`, CONTENT.subarray(offset), {
      ...upload,
      ...checksum,
      'Upload-Offset': String(offset),
    })
    expect(await outcome(last)).toBe('204')
    expect(readFileSync(disk(name)).equals(CONTENT)).toBe(true)
  }
  for (const send of points(LENGTH)) {
    await breakOff(`POST ${API.resources}/posted.bin?override=true`, {}, CONTENT, { send })
    await breakOff(`PUT ${API.resources}/saved.bin`, {}, CONTENT, { send })
    const first = { ...upload, 'Upload-Length': String(LENGTH) }
    await breakOff(`POST ${API.tus}/with-bytes?override=true`, first, CONTENT, { send })
  }

  await until(() => staged().length === 0)
  await until(() => openDescriptors().sockets <= before.sockets)
  await until(() => openDescriptors().files.join() === before.files.join())
  expect(readFileSync(disk('saved.bin'), 'utf8')).toBe('whole')
  expect(readdirSync(disk())).not.toContain('posted.bin')
  // The runtime keeps idle threads; the threads of codecs end with their archives.
  await until(() => threads() <= before.threads + CODEC_THREADS)
  for (const [, target] of READS) {
    if (!target.includes(API.events)) expect(`${target} ${await ask(target)}`).toBe(`${target} 200`)
  }
  await until(() => openDescriptors().files.join() === before.files.join())
  const log = app.server.output().slice(before.output)
  expect(log.split('\n').filter((line) => line !== '' && !isExpected(line))).toEqual([])

  // Waits for a second in which the server uses less than 0.1 s of processor time.
  await until(async () => {
    const start = cpuTime()
    await Bun.sleep(1000)
    return cpuTime() - start <= 10
  })
}, 120_000)

/**
 * An upload continues before the server has noticed that the earlier connection is broken; and each upload that a client
 * has left has its line.
 */
function isExpected(line: string): boolean {
  return (
    / \/api\/tus\/[\w-]+: 423 /.test(line) ||
    /: (?:POST|PUT|PATCH) by anna: the connection ended after \d+ of \d+ bytes\.$/.test(line)
  )
}
