/**
 * Three servers behind HAProxy with docs/examples/haproxy.cfg: each request may go to another server, and servers end and
 * start again while clients work.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { beginRequest, until } from '../support/server/broken-connection.ts'
import { anonymous, type Client, clientWith, outcome, signIn } from '../support/server/client.ts'
import { cluster, type Member } from '../support/server/cluster.ts'
import { type Balancer, haproxyMissing, startBalancer } from '../support/server/haproxy.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { postgresMissing } from '../support/server/postgres.ts'
import { openShell } from '../support/server/shell.ts'
import { createUpload, offsetOf, sendPart, stagedBytes } from '../support/server/tus.ts'

const MIB = 2 ** 20
/** As in the example, but as long as the checks need. */
const ARGS = ['--trusted-proxies', '127.0.0.1', '--drain', '6s', '--exec']

const missing = postgresMissing() ?? haproxyMissing()
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('three servers behind HAProxy @spec-10.23', () => {
  const given = cluster(0, ARGS)
  let balancer: Balancer
  /** The servers in the order of the example. */
  const behind: Member[] = []
  let admin: Client
  beforeAll(async () => {
    balancer = await startBalancer()
    for (const at of balancer.ports.keys()) await start(at)
    await until(areAllUp)
    admin = await signIn(balancer.url, 'admin', PASSWORD)
  }, 60_000)
  afterAll(() => balancer?.stop())

  /** Starts the server at a place, for the first time or again. */
  const start = async (at: number) => {
    behind[at] = await given().start({ args: ['--port', String(balancer.ports[at])] })
  }
  const areAllUp = async () => (await balancer.states()).every(({ isUp }) => isUp)
  const sentTo = async (at: number) => (await balancer.states())[at]?.sent
  /** How many servers have got requests during an action. */
  const reachedBy = async (act: () => Promise<void>) => {
    const before = await balancer.states()
    await act()
    const after = await balancer.states()
    return after.filter(({ sent }, at) => sent > (before[at]?.sent ?? 0)).length
  }

  test('have the same sessions, and one that is ended at one is ended at all', async () => {
    const session = await signIn(balancer.url, 'admin', PASSWORD)
    const direct = behind.map(({ server }) => clientWith(server.url, session.token))
    const list = (client: Client) => outcome(client.call('GET', `${API.resources}/`))
    expect(await Promise.all(direct.map(list))).toEqual(['200', '200', '200'])
    expect(await direct[1]?.call('POST', API.logout).then(({ ok }) => ok)).toBe(true)
    const refused: string[] = []
    const reached = await reachedBy(async () => {
      for (let turn = 0; turn < 6; turn += 1) refused.push(await list(session))
    })
    expect(reached).toBe(3)
    expect(await Promise.all(direct.map(list))).toEqual(Array(3).fill(refused[0]))
    expect(refused).toEqual(Array(6).fill('401 unauthenticated'))
  })

  test('receive one upload in parts, byte for byte', async () => {
    const bytes = randomBytes(6 * MIB)
    const address = await createUpload(admin, 'parts.bin', bytes.length)
    const reached = await reachedBy(async () => {
      for (let offset = 0; offset < bytes.length; offset += MIB) {
        const part = Uint8Array.from(bytes.subarray(offset, offset + MIB))
        expect(await sendPart(admin, address, offset, part)).toBe('204')
      }
    })
    expect(reached).toBe(3)
    expect(readFileSync(given().at('parts.bin')).equals(bytes)).toBe(true)
  })

  test('continue an upload whose server is killed in the middle of a part', async () => {
    const bytes = randomBytes(2 * MIB)
    const address = await createUpload(admin, 'killed.bin', bytes.length)
    const first = bytes.subarray(0, 1000)
    const head = {
      'X-Auth': admin.token,
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': String(bytes.length),
    }
    const sending = await beginRequest(balancer.url, `PATCH ${address}`, head, first)
    await stagedBytes(given().at(), address, first.length)
    const at = (await balancer.states()).findIndex(({ running }) => running > 0)
    behind[at]?.server.kill('SIGKILL')
    await sending.receives(/^HTTP\/1\.1 50\d /)
    const offset = await offsetOf(admin, address)
    expect(offset).toBe(first.length)
    const rest = Uint8Array.from(bytes.subarray(offset))
    expect(await sendPart(admin, address, offset, rest)).toBe('204')
    expect(readFileSync(given().at('killed.bin')).equals(bytes)).toBe(true)
    await start(at)
    await until(areAllUp)
  }, 60_000)

  test('stop and start again one after the other, and no request fails', async () => {
    const failed: string[] = []
    let [done, isEnded] = [0, false]
    const work = async (who: number) => {
      for (let turn = 0; !isEnded; turn += 1) {
        const name = `rolling-${who}-${turn % 5}`
        const content = `${who} ${turn}`
        const save = admin.call('POST', `${API.resources}/${name}?override=true`, content)
        const results = [
          await outcome(save),
          await outcome(admin.call('GET', `${API.resources}/`)),
          await outcome(admin.call('GET', `${API.raw}/${name}`)),
        ]
        if (readFileSync(given().at(name), 'utf8') !== content) results.push(`${name} is lost`)
        failed.push(...results.filter((result) => result !== '200'))
        done += results.length
      }
    }
    const working = Promise.all([0, 1, 2, 3].map((who) => work(who).catch((e) => failed.push(e))))
    for (const [at, { server }] of [...behind.entries()]) {
      const before = done
      const stopped = server.stop()
      const isTakenOut = async () => !(await balancer.states())[at]?.isUp
      await until(isTakenOut)
      const sent = await sentTo(at)
      // It still serves.
      expect(await outcome(anonymous(server.url).call('GET', API.health))).toBe('200')
      expect(await stopped).toBe(0)
      expect(await sentTo(at)).toBe(sent)
      await start(at)
      await until(areAllUp)
      expect(done).toBeGreaterThan(before)
    }
    isEnded = true
    await working
    expect(failed).toEqual([])
  }, 120_000)

  test('pass on the events of a folder, whichever of them changes it', async () => {
    mkdirSync(given().at('seen'))
    const { body } = await admin.call('GET', `${API.events}/seen/`)
    if (!body) throw new Error('The event stream has no body.')
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()
    for (const [at, member] of behind.entries()) {
      expect(await outcome(member.admin.call('POST', `${API.resources}/seen/${at}`))).toBe('200')
      let received = ''
      while (!received.includes('event: changed')) received += (await reader.read()).value ?? ''
    }
    await reader.cancel()
  })

  test('pass on a terminal', async () => {
    const user = { username: 'terminal', password: PASSWORD, commands: ['sh'] }
    const data = { ...user, perm: { execute: true, download: true } }
    const made = { what: 'user', which: [], current_password: PASSWORD, data }
    expect(await outcome(admin.call('POST', API.users, made))).toBe('201')
    const client = await signIn(balancer.url, 'terminal', PASSWORD)
    const shell = await openShell(client, balancer.url)
    shell.send({ type: 'run', line: 'sh', terminal: true, cols: 91, rows: 33 })
    shell.send({ type: 'input', data: 'stty size\r' })
    await shell.shows(/33 91/)
    shell.send({ type: 'input', data: 'exit 4\r' })
    expect(await shell.ended).toMatchObject({ code: 4 })
    shell.close()
  })

  test('pass on a large download', async () => {
    const bytes = randomBytes(64 * MIB)
    writeFileSync(given().at('large.bin'), bytes)
    const answer = await admin.call('GET', `${API.raw}/large.bin`)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('see the address of a client, and not the one that it pretends to have', async () => {
    const body = JSON.stringify({ username: 'admin', password: 'wrong' })
    const head = {
      'X-Forwarded-For': '192.0.2.1',
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
    }
    const options = { localAddress: '127.0.0.5' }
    const asked = `POST ${API.login}`
    const request = await beginRequest(balancer.url, asked, head, body, options)
    await request.receives(/^HTTP\/1\.1 403 /)
    request.cut()
    const recorded = async () => {
      const records: AuditEntry[] = await (await admin.call('GET', API.audit)).json()
      return records.find(({ action, status }) => action === 'signIn' && status === 403)
    }
    await until(async () => (await recorded()) !== undefined)
    expect((await recorded())?.address).toBe('127.0.0.5')
  })
})
