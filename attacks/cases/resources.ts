/** Expensive, interrupted and malformed requests, and the modes of files. */
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { assert, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { pictureOfSize } from '../picture.ts'

export const resourceCases: AttackCase[] = [
  {
    id: 'G-93',
    attack: 'a text of 200 MiB in one response',
    reason: 'the content of texts is included up to 10 MiB',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/big.txt'), '')
      truncateSync(fixture.disk('alice/big.txt'), 200 * 2 ** 20)
      const response = works(
        await fixture.call('alice', 'GET', '/api/resources/big.txt'),
        'a request for the large text',
      )
      assert(
        response.text.length < 10_000 && !response.text.includes('"content"'),
        'the response contains the text',
      )
      const small = works(
        await fixture.call('alice', 'GET', '/api/resources/own.txt'),
        'a small text',
      )
      assert(small.text.includes('"content"'), 'the response for a small text does not contain it')
    },
  },
  {
    id: 'G-94',
    attack: 'a picture that decodes to gigabytes',
    reason: 'the size of a picture is read from its header before it is decoded',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/bomb.png'), pictureOfSize(50_000, 50_000))
      const response = await fixture.call('alice', 'GET', '/api/preview/thumb/bomb.png')
      refused(response, 'the request for the picture', 413)
      writeFileSync(fixture.disk('alice/small.png'), pictureOfSize(8, 8))
      works(await fixture.call('alice', 'GET', '/api/preview/thumb/small.png'), 'a small picture')
    },
  },
  {
    id: 'G-95',
    attack: 'names that are too long, paths that are too deep',
    reason: 'a name has at most 255 bytes, and a path 256 levels',
    async run(fixture) {
      const before = String(fixture.names('alice'))
      refused(
        await fixture.call('alice', 'POST', `/api/resources/${'n'.repeat(300)}`, 'x'),
        'a long name',
        400,
      )
      refused(
        await fixture.raw('alice', 'POST', `/api/resources${'/d'.repeat(3000)}/`, ''),
        'a deep path',
        400,
      )
      assert(String(fixture.names('alice')) === before, 'a file was created')
      works(
        await fixture.call('alice', 'POST', `/api/resources/${'n'.repeat(255)}`, 'x'),
        'the longest name',
      )
    },
  },
  {
    id: 'G-96',
    attack: 'a save that is interrupted',
    reason: 'content is staged, and renamed to its destination when it is complete',
    async run(fixture) {
      await sendPart(fixture, 'PUT', '/api/resources/own.txt')
      await sendPart(fixture, 'POST', '/api/resources/own.txt?override=true')
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'a listing afterwards')
      untouched(fixture, 'the attempt', 'alice/own.txt')
      works(
        await fixture.call('alice', 'PUT', '/api/resources/own.txt', 'whole'),
        'a complete save',
      )
    },
  },
  {
    id: 'G-97',
    attack: 'very many ranges in one request',
    reason: 'the server sends one range; for more than one it sends the whole file',
    async run(fixture) {
      const many = `bytes=${Array.from({ length: 1000 }, () => '0-').join(',')}`
      const size = fixture.mark('alice/own.txt').length
      for (const range of [many, 'bytes=-0', 'bytes=5-2', 'bytes=999999-', 'bytes=abc']) {
        const response = await fixture.call('alice', 'GET', '/api/raw/own.txt', undefined, {
          Range: range,
        })
        assert(
          [200, 206, 416].includes(response.status),
          `${range.slice(0, 16)}: ${response.status}`,
        )
        // The text of a refusal may be longer than the file.
        assert(
          response.text.length <= size + 200,
          `${range.slice(0, 16)} gets much more than the file`,
        )
        const isWhole = response.status === 200 && response.text.length === size
        assert(range !== many || isWhole, 'a request for many ranges does not get the whole file')
      }
      const part = await fixture.call('alice', 'GET', '/api/raw/own.txt', undefined, {
        Range: 'bytes=0-3',
      })
      assert(part.status === 206 && part.text.length === 4, 'a range does not work')
    },
  },
  {
    id: 'G-98',
    attack: 'reading by other system accounts',
    reason: 'files have mode 0640, folders 0750, the private folder 0700, the database 0600',
    async run(fixture) {
      works(await fixture.call('alice', 'POST', '/api/resources/new/file.txt', 'x'), 'a file')
      const bits = (path: string) => statSync(path).mode & 0o777
      for (const [path, mode] of [
        [fixture.disk('alice/new/file.txt'), 0o640],
        [fixture.disk('alice/new'), 0o750],
        [fixture.disk('.filemgr'), 0o700],
        [fixture.database, 0o600],
      ] as const) {
        assert(bits(path) === mode, `${path} has the mode ${bits(path).toString(8)}`)
      }
    },
  },
  {
    id: 'G-99',
    attack: 'two lengths in one request (request smuggling)',
    reason: 'a request with both Content-Length and Transfer-Encoding is refused',
    async run(fixture) {
      // `raw` adds the header Content-Length.
      const response = await fixture.raw(
        '',
        'POST',
        '/api/login',
        '0\r\n\r\nGET /api/users HTTP/1.1\r\n\r\n',
        {
          'Transfer-Encoding': 'chunked',
        },
      )
      refused(response, 'the request', 400)
      assert(!response.text.includes('HTTP/1.1 2'), 'a second request was answered')
      works(await fixture.signIn('alice'), 'a request with one length')
    },
  },
]

/** Sends a quarter of a body, disconnects when it is staged, and waits until the server has removed the staged file. */
async function sendPart(fixture: Fixture, method: string, target: string): Promise<void> {
  const { hostname, port } = new URL(fixture.url)
  const stagedNames = () =>
    readdirSync(join(fixture.root, '.filemgr/work'), { recursive: true, encoding: 'utf8' })
  const before = stagedNames()
  const isStaged = () => stagedNames().some((name) => !before.includes(name))
  const socket = connect(Number(port), hostname)
  let isClosed = false
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  const head = `${method} ${target} HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth: ${fixture.tokens.alice}\r\nContent-Length: 400000\r\n\r\n`
  socket.write(head + 'x'.repeat(100_000))
  while (!isStaged()) {
    assert(!isClosed, `${method} was refused before its content was staged`)
    await Bun.sleep(10)
  }
  socket.destroy()
  while (isStaged()) await Bun.sleep(10)
}
