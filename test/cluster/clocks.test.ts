/** Three servers of which two have wrong clocks: what they do together depends only on the clock of the database. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { anonymous, clientWith, outcome } from '../support/server/client.ts'
import { cluster, serversOf } from '../support/server/cluster.ts'
import { postgresMissing } from '../support/server/postgres.ts'

/** Debian's library that tells a program another time. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const missing = existsSync(LIBRARY) ? postgresMissing() : 'faketime is not installed'
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('servers whose clocks differ by twenty minutes', () => {
  const servers = cluster(1, ['--trusted-proxies', '127.0.0.1'])
  beforeAll(async () => {
    for (const FAKETIME of ['+10m', '-10m']) {
      // The times of files are those of the disk.
      const env = { LD_PRELOAD: LIBRARY, NO_FAKE_STAT: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      await servers().start({ env: { ...env, FAKETIME } })
    }
  }, 60_000)

  test('say so at their start', async () => {
    const [right, ahead, behind] = serversOf(servers())
    expect(await ahead.server.says(/The clock of this machine is (\d+) seconds ahead/)).toMatch(
      /^(599|600|601)$/,
    )
    expect(await behind.server.says(/The clock of this machine is (\d+) seconds behind/)).toMatch(
      /^(599|600|601)$/,
    )
    expect(right.server.output()).not.toContain('The clock')
  })

  test('accept each other’s sessions until they are ended', async () => {
    const members = serversOf(servers())
    for (const { admin } of members) {
      const atAll = members.map(({ server }) => clientWith(server.url, admin.token))
      for (const client of atAll) {
        expect(await outcome(client.call('GET', `${API.resources}/`))).toBe('200')
      }
    }
  })

  test('block an address together, as long as one server would', async () => {
    const members = serversOf(servers())
    const enter = (turn: number) => {
      const client = anonymous(members[turn % members.length]?.server.url ?? '')
      const headers = { 'X-Forwarded-For': '192.0.2.1' }
      const tried = { username: 'anna', password: 'wrong' }
      return client.call('POST', API.login, tried, headers)
    }
    const statuses: number[] = []
    const waits: number[] = []
    for (let turn = 0; turn < 14; turn += 1) {
      const answer = await enter(turn)
      statuses.push(answer.status)
      const wait = answer.headers.get('Retry-After')
      if (wait !== null) waits.push(Number(wait))
    }
    expect(statuses).toEqual([...Array(8).fill(403), ...Array(6).fill(429)])
    expect(Math.max(...waits)).toBe(1)
  })

  test('continue each other’s uploads and jobs, and undo each other’s changes', async () => {
    const [right, ahead, behind] = serversOf(servers())
    const path = `${API.tus}/sent.bin`
    const type = { 'Content-Type': 'application/offset+octet-stream' }
    const begun = await behind.admin.call('POST', path, undefined, { 'Upload-Length': '9' })
    expect(begun.status).toBe(201)
    const send = (at: typeof right, offset: number, body: string) =>
      outcome(at.admin.call('PATCH', path, body, { ...type, 'Upload-Offset': `${offset}` }))
    expect(await send(ahead, 0, 'abc')).toBe('204')
    expect(await send(behind, 3, 'def')).toBe('204')
    expect(await send(right, 6, 'ghi')).toBe('204')
    expect(readFileSync(servers().at('sent.bin'), 'utf8')).toBe('abcdefghi')
    expect(await outcome(ahead.admin.call('DELETE', `${API.resources}/sent.bin`))).toBe('204')
    const entries = await (await behind.admin.call('GET', API.journal)).json()
    const undone = behind.admin.call('POST', `${API.journal}/undo`, { id: entries[0].id })
    expect(await outcome(undone)).toBe('200')
    expect(readFileSync(servers().at('sent.bin'), 'utf8')).toBe('abcdefghi')
  })
})
