/** Servers with one PostgreSQL database allow as many wrong passwords together as one of them alone. */
import { describe, expect, test } from 'bun:test'
import { API } from '#wire/api/routes.ts'
import { anonymous, outcome } from '../support/server/client.ts'
import { cluster } from '../support/server/cluster.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { postgresMissing } from '../support/server/postgres.ts'

const SERVERS = 3

describe.skipIf(postgresMissing() !== undefined)('three servers @spec-10.18', () => {
  const servers = cluster(SERVERS, ['--trusted-proxies', '127.0.0.1'])

  /** Signs in at one of the servers, from an address. */
  function enter(at: number, address: string, username: string, password = 'wrong') {
    const client = anonymous(servers().members[at % SERVERS]?.server.url ?? '')
    const headers = { 'X-Forwarded-For': address }
    return outcome(client.call('POST', API.login, { username, password }, headers))
  }
  const count = (answers: string[], answer: string) =>
    answers.filter((one) => one === answer).length
  const run = (sql: string) => servers().postgres.run(servers().url, sql)

  test('compare eight wrong passwords of one account, one after the other', async () => {
    const answers: string[] = []
    for (let turn = 0; turn < 12; turn += 1) answers.push(await enter(turn, '192.0.2.1', 'anna'))
    expect(answers).toEqual([
      ...Array(8).fill('403 wrongCredentials'),
      ...Array(4).fill('429 tooMany'),
    ])
    expect(await enter(0, '192.0.2.2', 'anna')).toBe('403 wrongCredentials')
  })

  test('compare eight wrong passwords of one account, although all come at once', async () => {
    const tries = Array.from({ length: 60 }, (_, turn) => enter(turn, '192.0.2.3', 'bob'))
    const answers = await Promise.all(tries)
    expect(count(answers, '403 wrongCredentials')).toBe(8)
    expect(count(answers, '429 tooMany')).toBe(52)
    expect(await run('SELECT name FROM running_attempts')).toEqual([])
  })

  test('let everybody in whose password is right, although many come at once', async () => {
    const tries = Array.from({ length: 24 }, (_, turn) =>
      enter(turn, '192.0.2.4', 'admin', PASSWORD),
    )
    expect(new Set(await Promise.all(tries))).toEqual(new Set(['200']))
  })

  test('wait for the attempts of a killed server only for a while', async () => {
    await enter(0, '192.0.2.5', 'admin')
    // As many attempts as no counter allows.
    await run(
      "INSERT INTO running_attempts SELECT key, 60, now() + interval '1 hour' FROM failures",
    )
    const waiting = enter(1, '192.0.2.5', 'admin', PASSWORD)
    expect(await Promise.race([waiting, Bun.sleep(500).then(() => 'waits')])).toBe('waits')
    await run('UPDATE running_attempts SET until = now()')
    expect(await waiting).toBe('200')
    expect(await run('SELECT name FROM running_attempts')).toEqual([])
  })

  test('forget the failures with a crash of the database, as with a restart of one server', async () => {
    const rows = await run(
      "SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname",
    )
    expect(rows.map(({ relname }) => relname)).toEqual([
      'failures',
      'noted_changes',
      'outbox',
      'running_attempts',
    ])
  })
})
