/** Floods of requests, parallel password guessing, clients that disconnect, and malformed requests. */
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { AuditEntry } from '#wire/api/audit.ts'
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'
import type { RawResponse } from '../raw-request.ts'

/** A short idle timeout, so that tests can wait for it. */
export const WITH_SHORT_SILENCE = ['--stall-timeout', '5s', '--bytes-origin', 'http://bytes.test']

/** Time limit for deletions whose clients have disconnected. */
const DELETIONS_MAX_MS = 10_000

export const floodCases: AttackCase[] = [
  {
    id: 'G-120',
    attack: 'filling the audit record with long names',
    reason:
      'a form without a session may have 8 KiB, a name 128 characters, and every recorded text has a limit',
    async run(fixture) {
      const name = 'n'.repeat(100_000)
      const form = { username: name, password: FIXTURE_PASSWORD }
      refused(await fixture.call('', 'POST', '/api/login', form), 'signing in', 413)
      const short = { username: name.slice(0, 129), password: FIXTURE_PASSWORD }
      refused(await fixture.call('', 'POST', '/api/login', short), 'a shorter one', 400)
      const path = name.slice(0, 8000)
      refused(await fixture.call('', 'DELETE', `/api/resources/${path}`), 'deleting', 401)
      refused(await fixture.call('', 'GET', `/api/public/share/${path}`), 'a share', 404)
      const record = works(
        await fixture.call('admin', 'GET', '/api/audit?limit=1000'),
        'the record',
      )
      assert(!record.text.includes(name.slice(0, 300)), 'a long text is in the record')
      assert(record.text.includes(name.slice(0, 200)), 'the refusals are not in the record')
      works(await fixture.signIn('alice'), 'the right password')
    },
  },
  {
    id: 'G-121',
    attack: 'invalid Host headers',
    reason: 'an invalid Host header is refused before anything reads it',
    async run(fixture) {
      for (const Host of ['a b', '[::1', 'x:99999', 'x/y', 'user@x', '%00', '']) {
        for (const target of ['/', '/api/resources/', '/api/login']) {
          refused(await fixture.raw('alice', 'GET', target, '', { Host }), `Host: ${Host}`, 400)
        }
      }
      works(await fixture.raw('alice', 'GET', '/api/resources/'), 'a good host')
    },
  },
  {
    id: 'G-122',
    attack: 'disconnecting after a request, to have no address in the audit record',
    reason: 'a request without an address is not handled, and a connection that was reset has none',
    async run(fixture) {
      for (let turn = 0; turn < 20; turn += 1) {
        writeFileSync(fixture.disk('alice', `gone${turn}`), 'x')
        const socket = await open(fixture)
        const head = `DELETE /api/resources/gone${turn} HTTP/1.1\r\nHost: x\r\n`
        await new Promise<void>((resolve) => {
          socket.on('close', () => resolve())
          socket.write(`${head}X-Auth: ${fixture.tokens.alice}\r\n\r\n`, () =>
            socket.resetAndDestroy(),
          )
        })
      }
      const remaining = () =>
        fixture.names('alice').filter((name) => name.startsWith('gone')).length
      const recorded = () => record(fixture, '?limit=1000&action=delete')
      const linesIn = (records: AuditEntry[]) =>
        records.filter(({ path, status }) => path.includes('gone') && status === 204).length
      let records = await recorded()
      // Deletions may continue after their clients have disconnected.
      const untilMs = Date.now() + DELETIONS_MAX_MS
      while (remaining() + linesIn(records) !== 20 && Date.now() < untilMs)
        records = await recorded()
      assert(
        records.every(({ address }) => address === '127.0.0.1'),
        'a deletion has the address of another client',
      )
      assert(remaining() + linesIn(records) === 20, 'a deletion has no audit record')
      writeFileSync(fixture.disk('alice/gone-at-last'), 'x')
      const last = await fixture.call('alice', 'DELETE', '/api/resources/gone-at-last')
      works(last, 'a client that stays', 204)
      const lines = linesIn(records) + 1
      assert(
        linesIn(await recorded()) === lines,
        'the deletion of a client that stays has no record',
      )
    },
  },
  {
    id: 'G-123',
    attack: 'connections that stay open after a slow request',
    reason: 'an idle connection is allowed only while a slow request is in progress',
    async run(fixture) {
      const socket = await open(fixture)
      const ended = new Promise<void>((resolve) => socket.on('end', () => resolve()))
      let response = ''
      socket.on('data', (part) => {
        response += part
      })
      socket.write(
        `GET /api/resources/ HTTP/1.1\r\nHost: x\r\nX-Auth: ${fixture.tokens.alice}\r\n\r\n`,
      )
      await ended
      socket.destroy()
      const [status = ''] = response.split('\r\n')
      assert(status === 'HTTP/1.1 200 OK', `the request was answered with ${status}`)
    },
  },
  {
    id: 'G-124',
    attack: 'a signed URL of the content origin, used for another file',
    reason: 'a signed URL is valid for one path and one query',
    async run(fixture) {
      const shown = { 'Sec-Fetch-Dest': 'iframe' }
      const target = '/api/raw/pub/?inline=true&files=in.txt'
      const sent = await fixture.call('alice', 'GET', target, undefined, shown)
      assert(sent.status === 302, `the redirect was answered with ${sent.status}`)
      const signedUrl = (sent.headers.get('location') ?? '').replace('http://bytes.test', '')
      const contentHost = { Host: 'bytes.test' }
      works(await fixture.raw('', 'GET', signedUrl, '', contentHost), 'the signed URL')
      for (const other of [
        signedUrl.replace('files=in.txt', 'files='),
        signedUrl.replace('&files=in.txt', ''),
        signedUrl.replace('/pub/', '/'),
        `${signedUrl}&algo=tar`,
      ]) {
        refused(await fixture.raw('', 'GET', other, '', contentHost), 'another query', 404)
      }
    },
  },
  {
    id: 'G-125',
    attack: 'an uploaded HTML page that is displayed as a page',
    reason: 'texts are sent as plain text, whatever their names are',
    async run(fixture) {
      for (const name of ['x.html', 'x.xhtml', 'x.xml', 'x.css']) {
        writeFileSync(fixture.disk('alice', name), '<script>alert(1)</script>')
        const shown = works(
          await fixture.call('alice', 'GET', `/api/raw/${name}?inline=true`),
          name,
        )
        const type = shown.headers.get('content-type')
        assert(type === 'text/plain; charset=utf-8', `${name} is shown as ${type}`)
      }
    },
  },
  {
    id: 'G-126',
    attack: 'forms that are sent only in part',
    reason:
      'a form without a session must arrive within seconds, and one address can send few at a time',
    async run(fixture) {
      const waiting = new Set<Socket>()
      const responses: Promise<string>[] = []
      for (let turn = 0; turn < 40; turn += 1) {
        const socket = await open(fixture)
        waiting.add(socket)
        const response = new Promise<string>((resolve) => {
          socket.once('data', (part) => resolve(String(part).slice(9, 12)))
          // Writing to a connection that is being closed can lose its last response.
          socket.once('close', () => resolve('closed'))
        })
        responses.push(
          response.finally(() => {
            waiting.delete(socket)
            socket.destroy()
          }),
        )
        socket.write('POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{')
      }
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'an open session')
      while (waiting.size > 20) await Bun.sleep(20)
      const drip = setInterval(() => {
        for (const socket of waiting) socket.write(' ')
      }, 500)
      const statuses = await Promise.all(responses)
      clearInterval(drip)
      assert(
        statuses.filter((status) => status === '429').length >= 20,
        'all forms are read at the same time',
      )
      const ended = ['429', '408', 'closed']
      assert(
        statuses.every((status) => ended.includes(status)),
        `the forms are answered with ${statuses}`,
      )
    },
  },
  {
    id: 'G-127',
    attack: 'guessing the current password from an open session',
    reason: 'attempts with the current password are limited as at sign-in',
    async run(fixture) {
      const all: { id: number; username: string }[] = JSON.parse(
        (await fixture.call('admin', 'GET', '/api/users')).text,
      )
      const id = all.find(({ username }) => username === 'bob')?.id
      const changePassword = (guess: string) =>
        fixture.call('bob', 'PUT', `/api/users/${id}`, {
          what: 'user',
          which: ['password'],
          current_password: guess,
          data: { id, password: 'another long password' },
        })
      mustSlowDown(await atOnce(60, (turn) => changePassword(`guess${turn}`)), 400)
      refused(await changePassword(FIXTURE_PASSWORD), 'the right one, too late', 429)
      works(await fixture.signIn('bob'), 'the right one at sign-in')
    },
  },
  {
    id: 'G-128',
    attack: 'guessing passwords in concurrent requests',
    reason:
      'an attempt counts from its start; of concurrent attempts only the first few do not wait',
    async run(fixture) {
      const guesses = await atOnce(120, (turn) => fixture.signIn('alice', `guess${turn}`))
      mustSlowDown(guesses, 403)
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'an open session')
    },
  },
  {
    // Last, because this address is blocked for a while afterwards.
    id: 'G-129',
    attack: 'filling the audit record with refused requests',
    reason:
      'equal refusals of an address without a session are counted: one line for ten minutes, and one with the number',
    async run(fixture) {
      const before = (await record(fixture, '?limit=1000')).length
      const paths = Array.from({ length: 300 }, (_, turn) => `/api/resources/none${turn}`)
      for (const path of paths) await fixture.call('', 'DELETE', path)
      for (let turn = 0; turn < 100; turn += 1) await fixture.signIn(`nobody${turn}`, 'guess')
      const records = await record(fixture, '?limit=1000')
      assert(records.length - before < 12, `${records.length - before} records were added`)
      const deletions = records.filter(
        ({ action, status }) => action === 'delete' && status === 401,
      )
      const counted = deletions.reduce((sum, { times }) => sum + times, 0)
      assert(counted >= 300, `the records count ${counted}`)
    },
  },
]

function open(fixture: Fixture): Promise<Socket> {
  const { hostname, port } = new URL(fixture.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('connect', () => resolve(socket))
    // After the connection is open, an error has no effect here: `response` ends with `close`.
    socket.on('error', reject)
  })
}

async function record(fixture: Fixture, query: string): Promise<AuditEntry[]> {
  const response = works(await fixture.call('admin', 'GET', `/api/audit${query}`), 'the record')
  return JSON.parse(response.text)
}

function atOnce(
  count: number,
  request: (turn: number) => Promise<RawResponse>,
): Promise<RawResponse[]> {
  return Promise.all(Array.from({ length: count }, (_, turn) => request(turn)))
}

/** Few guesses may be compared. @param wrongStatus the status of a wrong password */
function mustSlowDown(responses: readonly RawResponse[], wrongStatus: number): void {
  const compared = responses.filter(({ status }) => status === wrongStatus).length
  assert(compared > 0 && compared <= 8, `${compared} of ${responses.length} were compared`)
  for (const response of responses) {
    // The other attempts exceeded the limit of one address, or of all.
    const { status } = response
    refused(response, 'a guess', status === wrongStatus || status === 503 ? status : 429)
  }
}
