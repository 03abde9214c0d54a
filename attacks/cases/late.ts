/** Requests that outlive their permission: the session or the share ends during the transfer. */
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RequestHeaders } from '../raw-request.ts'

const RECHECKED =
  'access is checked again each second while content is sent, and a refusal aborts the response'
const HUGE_BYTES = 2 ** 40
/** More bytes than socket buffers hold. */
const ALBUM_BYTES = 64 * 2 ** 20

export const lateCases: AttackCase[] = [
  {
    id: 'G-183',
    attack: 'downloads that continue after signing out',
    reason: RECHECKED,
    async run(fixture) {
      await withHuge(fixture, async () => {
        const token = works(await fixture.signIn('alice'), 'signing in').text
        const sent = await Promise.all(
          ['/api/raw/huge', '/api/raw/?algo=tar', '/api/events/'].map((target) =>
            begin(fixture, `GET ${target}`, { 'X-Auth': token }),
          ),
        )
        const stays = await begin(fixture, 'GET /api/raw/huge', {
          'X-Auth': fixture.tokens.alice ?? '',
        })
        works(
          await fixture.call('', 'POST', '/api/logout', undefined, { 'X-Auth': token }),
          'signing out',
        )
        for (const { isTruncated } of sent) assert(await isTruncated(), 'the response was complete')
        assert(await stays.continues(), 'another session lost its download')
        stays.disconnect()
      })
    },
  },
  {
    id: 'G-184',
    attack: 'downloads that continue after their share was removed',
    reason: RECHECKED,
    async run(fixture) {
      await withHuge(fixture, async () => {
        const made = works(await fixture.call('alice', 'POST', '/api/share/', {}), 'a public link')
        const { hash } = JSON.parse(made.text)
        const sent = await Promise.all(
          ['huge', '?algo=tar'].map((target) =>
            begin(fixture, `GET /api/public/dl/${hash}/${target}`),
          ),
        )
        works(await fixture.call('alice', 'DELETE', `/api/share/${hash}`), 'removing it')
        for (const { isTruncated } of sent) assert(await isTruncated(), 'the response was complete')
      })
    },
  },
  {
    id: 'G-185',
    attack: 'an upload that continues after signing out',
    reason:
      'access is checked again each second of an upload, and once more before its file is published',
    async run(fixture) {
      const token = works(await fixture.signIn('alice'), 'signing in').text
      const tus = (method: string, headers: RequestHeaders) =>
        fixture.call('alice', method, '/api/tus/late', undefined, headers)
      works(await tus('POST', { 'Upload-Length': '9' }), 'an upload', 201)
      const folder = join(fixture.root, '.filemgr/uploads')
      const staged = () => readdirSync(folder).some((id) => statSync(join(folder, id)).size === 5)
      const headers = {
        'X-Auth': token,
        'Transfer-Encoding': 'chunked',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      }
      const sent = begin(fixture, 'PATCH /api/tus/late', headers, '5\r\nfirst\r\n')
      while (!staged()) await new Promise((next) => setTimeout(next, 10))
      works(
        await fixture.call('', 'POST', '/api/logout', undefined, { 'X-Auth': token }),
        'signing out',
      )
      const { beginning, disconnect } = await sent
      assert(
        /^HTTP\/1\.1 401 /.test(beginning()),
        `the upload was answered with ${beginning().slice(0, 30)}`,
      )
      disconnect()
      const head = works(await tus('HEAD', {}), 'asking with another session')
      assert(head.headers.get('upload-offset') === '5', 'bytes that had arrived are lost')
      refused(await fixture.call('alice', 'GET', '/api/raw/late'), 'reading it', 404)
      works(await tus('DELETE', {}), 'cancelling', 204)
    },
  },
  {
    id: 'G-206',
    attack: 'moving a folder while it is downloaded, so that an incomplete archive looks complete',
    reason: 'an archive is aborted when a listed file no longer exists',
    async run(fixture) {
      const folder = fixture.disk('alice/album')
      mkdirSync(folder)
      for (const name of ['a', 'b', 'c']) {
        writeFileSync(join(folder, name), '')
        truncateSync(join(folder, name), ALBUM_BYTES)
      }
      const token = fixture.tokens.alice ?? ''
      const { isTruncated } = await begin(fixture, 'GET /api/raw/album?algo=tar', {
        'X-Auth': token,
      })
      const to = encodeURIComponent('/bob/album')
      const move = `/api/resources/alice/album?action=rename&destination=${to}`
      works(await fixture.call('admin', 'PATCH', move), 'moving it')
      assert(await isTruncated(), 'the response was complete')
      rmSync(fixture.disk('bob/album'), { recursive: true })
    },
  },
]

/** Creates a file of one tebibyte for alice, which no transfer sends completely, and removes it after the test. */
async function withHuge(fixture: Fixture, run: () => Promise<void>): Promise<void> {
  const file = fixture.disk('alice/huge')
  writeFileSync(file, '')
  truncateSync(file, HUGE_BYTES)
  await run()
  rmSync(file)
}

/** A request whose response has begun. */
interface BegunRequest {
  /** The beginning of the response. */
  beginning(): string
  /** Breaks the connection. */
  disconnect(): void
  /**
   * Reads the rest of the response.
   *
   * @returns whether the response is truncated
   */
  isTruncated(): Promise<boolean>
  /**
   * Reads more bytes than socket buffers hold.
   *
   * @returns false if the connection ends before
   */
  continues(): Promise<boolean>
}

/** Sends a request and waits for the beginning of the response; the rest is not read yet. */
function begin(
  fixture: Fixture,
  line: string,
  headers: RequestHeaders = {},
  body = '',
): Promise<BegunRequest> {
  const { hostname, port } = new URL(fixture.url)
  const lines = Object.entries({ Host: hostname, Connection: 'close', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname)
    let [first, last, bytes] = ['', '', 0]
    // A reset connection has ended too.
    socket.on('error', () => undefined)
    const closed = new Promise<void>((done) => socket.on('close', () => done()))
    socket.on('data', (part: Buffer) => {
      bytes += part.length
      last = (last + part.subarray(-5).toString('latin1')).slice(-5)
      if (bytes > part.length) return
      first = part.toString('latin1')
      socket.pause()
      resolve({
        beginning: () => first,
        disconnect: () => socket.destroy(),
        async isTruncated() {
          socket.resume()
          await closed
          return last !== '0\r\n\r\n' && bytes < HUGE_BYTES
        },
        continues() {
          const wantedBytes = bytes + ALBUM_BYTES
          return new Promise((done) => {
            socket.on('data', () => bytes >= wantedBytes && done(true))
            closed.then(() => done(false))
            socket.resume()
          })
        },
      })
    })
    socket.write(`${line} HTTP/1.1\r\n${head}\r\n${body}`)
  })
}
