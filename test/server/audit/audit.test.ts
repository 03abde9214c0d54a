import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { Audit, type Retention } from '#server/audit/audit.ts'
import { PERIOD_MS } from '#server/audit/repeat-counter.ts'
import { openDatabase } from '#server/db/open.ts'
import { AuditRows, type NewAuditRecord } from '#server/db/rows/audit.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { DAY_MS } from '#wire/units.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

afterEach(() => setSystemTime())

const recordOf = (path: string, atMs = Date.now()): NewAuditRecord => ({
  atMs,
  userId: 1,
  username: 'anna',
  session: '',
  address: '',
  action: 'save',
  path,
  to: '',
  whom: '',
  bytes: 0,
  status: 200,
  share: '',
  times: 1,
  fault: '',
  entry: 0,
})

test('audit records beyond the limits of age or number are deleted, the oldest first', async () => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const audit = await Audit.open(
    new AuditRows(new SqliteDatabase(database, async () => undefined)),
    { keepMs: DAY_MS, entries: 3, bytes: 2 ** 30 },
  )
  const paths = async () => (await audit.find({}, 10)).map(({ path }) => path)
  audit.record(recordOf('/old', Date.now() - 2 * DAY_MS))
  audit.record(recordOf('/a'))
  expect(await paths()).toEqual(['/a', '/old'])
  await audit.deleteOld()
  expect(await paths()).toEqual(['/a'])
  for (const name of ['b', 'c', 'd']) audit.record(recordOf(`/${name}`))
  expect(await paths()).toEqual(['/d', '/c', '/b', '/a'])
  await audit.deleteOld()
  expect(await paths()).toEqual(['/d', '/c', '/b'])
  await audit.close()
  database.close()
  folder.remove()
})

test('a flood of audit records is cut before the hourly check', async () => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const audit = await Audit.open(
    new AuditRows(new SqliteDatabase(database, async () => undefined)),
    { keepMs: DAY_MS, entries: 3, bytes: 2 ** 30 },
  )
  for (let number = 0; number < 10_000; number += 1) audit.record(recordOf(`/${number}`))
  expect((await audit.find({}, 10)).map(({ path }) => path)).toEqual(['/9999', '/9998', '/9997'])
  await audit.close()
  database.close()
  folder.remove()
})

test('audit records are found by a part of the path or of the destination', async () => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const audit = await Audit.open(
    new AuditRows(new SqliteDatabase(database, async () => undefined)),
    { keepMs: DAY_MS, entries: 9, bytes: 2 ** 30 },
  )
  for (const one of [recordOf('/new'), { ...recordOf('/old'), to: '/new' }, recordOf('/other')])
    audit.record(one)
  expect((await audit.find({ path: 'ew' }, 10)).map(({ path }) => path)).toEqual(['/old', '/new'])
  await audit.close()
  database.close()
  folder.remove()
})

test('the last audit records are written when the audit is closed', async () => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const rows = new AuditRows(new SqliteDatabase(database, async () => undefined))
  const audit = await Audit.open(rows, { keepMs: DAY_MS, entries: 10, bytes: 2 ** 30 })
  audit.record(recordOf('/late'))
  expect(await rows.find({}, 1, 1)).toEqual([])
  await audit.close()
  expect(await rows.find({}, 1, 1)).toMatchObject([{ path: '/late' }])
  database.close()
  folder.remove()
})

/** An audit log in a database of its own. */
async function open(retention: Partial<Retention> = {}) {
  const folder = temporaryFolder()
  const path = join(folder.path, 'f.db')
  const database = openDatabase(path)
  const rows = new AuditRows(new SqliteDatabase(database, async () => undefined))
  const audit = await Audit.open(rows, {
    keepMs: DAY_MS,
    entries: 100_000,
    bytes: 2 ** 30,
    ...retention,
  })
  return {
    audit,
    rows,
    path,
    async [Symbol.dispose]() {
      await audit.close()
      database.close()
      folder.remove()
    },
  }
}
const signedIn = (path: string): NewAuditRecord => ({ ...recordOf(path), session: 's' })
/** A record of a visitor, by default of a refused sign-in. */
const visitorRecord = (changes: Partial<NewAuditRecord> = {}): NewAuditRecord => ({
  ...recordOf('', Date.now()),
  userId: 0,
  username: 'nobody',
  address: '192.0.2.1',
  action: 'signIn',
  status: 403,
  ...changes,
})

test('audit records beyond the limit of size are deleted, the oldest first, also between hourly checks @limit-72', async () => {
  using log = await open({ bytes: 1_000_000 })
  const { audit, rows } = log
  for (let number = 0; number < 2000; number += 1) {
    audit.record(signedIn(`/${number}/${'x'.repeat(4000)}`))
    if (number % 100 === 0) await audit.find({}, 1)
    expect(await rows.sizeBytes()).toBeLessThan(1_000_000 + 100 * 5000)
  }
  const [newest] = await audit.find({}, 1)
  expect(newest?.path).toStartWith('/1999/')
  expect(await rows.sizeBytes()).toBeLessThanOrEqual(1_000_000)
  expect(await rows.sizeBytes()).toBeGreaterThan(800_000)
})

test('records within the limit of size are kept when older ones are beyond the limit of number', async () => {
  using log = await open()
  for (let number = 0; number < 1000; number += 1) log.audit.record(signedIn(`/${number}`))
  await log.audit.find({}, 1)
  const bytes = (await log.rows.sizeBytes()) / 4
  const next = await Audit.open(log.rows, { keepMs: DAY_MS, entries: 200, bytes })
  expect(await next.find({}, 1000)).toHaveLength(200)
  await next.close()
})

test('a deletion of old records that fails is logged as such, and retried', async () => {
  using log = await open({ entries: 5 })
  const { audit, rows } = log
  const lines: string[] = []
  audit.listen((line) => lines.push(line))
  const forget = rows.forget.bind(rows)
  rows.forget = () => {
    throw new Error('full')
  }
  for (let number = 0; number < 10_000; number += 1) audit.record(signedIn(`/${number}`))
  await audit.find({}, 1)
  expect(lines).toEqual(['Old records are kept: Error: full'])
  rows.forget = forget
  expect(await audit.find({}, 10)).toHaveLength(5)
})

test('texts of audit records have a maximum length, and a cut text is marked @limit-71', async () => {
  using log = await open()
  const long = 'ä'.repeat(20_000)
  const all = { username: long, session: long, address: long, path: long, to: long, whom: long }
  log.audit.record({ ...signedIn(''), ...all, share: long })
  log.audit.record(visitorRecord({ ...all, session: '', share: long }))
  const [ofVisitor, ofUser] = await log.audit.find({}, 2)
  const lengths = (one: typeof ofUser) =>
    [one?.username, one?.whom, one?.session, one?.address, one?.share, one?.path, one?.to].map(
      (text) => text?.length,
    )
  expect(lengths(ofUser)).toEqual([128, 128, 64, 64, 64, 4096, 4096])
  expect(lengths(ofVisitor)).toEqual([128, 128, 0, 64, 64, 256, 256])
  expect(ofUser?.path.endsWith('ä…')).toBe(true)
})

test('a page of audit records has a maximum size in bytes, and at least one record @limit-74', async () => {
  using log = await open()
  const long = '\u4e16'.repeat(4096)
  for (let number = 0; number < 1000; number += 1) log.audit.record({ ...signedIn(long), to: long })
  const page = await log.audit.find({}, 1000)
  expect(page.length).toBeGreaterThan(100)
  expect(page.length).toBeLessThan(200)
  expect(await log.rows.find({}, 1000, 1)).toHaveLength(1)
  let [seen, before] = [0, Number.MAX_SAFE_INTEGER]
  for (;;) {
    const next = await log.audit.find({ before }, 1000)
    if (next.length === 0) break
    seen += next.length
    before = next.at(-1)?.id ?? 0
  }
  expect(seen).toBe(1000)
})

test('repeated refusals of one address are one audit record and one with their number', async () => {
  setSystemTime(new Date(0))
  using log = await open({ keepMs: 1e15 })
  for (let number = 0; number < 500; number += 1) {
    log.audit.record(visitorRecord({ username: `name${number}`, atMs: number }))
  }
  log.audit.record(visitorRecord({ address: '192.0.2.2' }))
  const lines = async () =>
    (await log.audit.find({}, 1000)).map(({ username, times }) => [username, times])
  expect(await lines()).toEqual([
    ['name499', 499],
    ['nobody', 1],
    ['name0', 1],
  ])
  // What was counted is written once.
  expect(await lines()).toHaveLength(3)
  log.audit.record(visitorRecord({ username: 'later', atMs: PERIOD_MS }))
  expect((await lines())[0]).toEqual(['later', 1])
})

test('counted refusals are written at the end of their period, and when the audit is closed', async () => {
  setSystemTime(new Date(0))
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const rows = new AuditRows(new SqliteDatabase(database, async () => undefined))
  const audit = await Audit.open(rows, { keepMs: 1e15, entries: 10, bytes: 2 ** 30 })
  for (let number = 0; number < 5; number += 1) audit.record(visitorRecord({ atMs: 0 }))
  audit.record(signedIn('/a'))
  audit.record(visitorRecord({ atMs: PERIOD_MS, status: 401 }))
  for (let number = 0; number < 3; number += 1)
    audit.record(visitorRecord({ atMs: PERIOD_MS, status: 401 }))
  await audit.close()
  expect((await rows.find({}, 10, 2 ** 20)).map(({ status, times }) => [status, times])).toEqual([
    [401, 3],
    [401, 1],
    [403, 4],
    [200, 1],
    [403, 1],
  ])
  database.close()
  folder.remove()
})

test('refusals of different users, accounts, actions, statuses and addresses have separate audit records', async () => {
  using log = await open()
  const each: Partial<NewAuditRecord>[] = [
    {},
    { userId: 2 },
    { action: 'delete' },
    { status: 401 },
    { address: '192.0.2.9' },
  ]
  for (const changes of each) {
    for (let turn = 0; turn < 3; turn += 1) log.audit.record(visitorRecord(changes))
  }
  for (let turn = 0; turn < 3; turn += 1) {
    log.audit.record({ ...signedIn('/a'), status: 403 })
    log.audit.record(visitorRecord({ status: 200, username: 'anna' }))
  }
  const times = (await log.audit.find({}, 1000)).map((line) => line.times)
  expect(times.filter((count) => count === 1)).toHaveLength(each.length + 6)
  expect(times.filter((count) => count === 2)).toHaveLength(each.length)
})

test('the first visit of an entry of a share is an audit record, and its repetitions are one further record', async () => {
  using log = await open()
  for (const path of ['/a', '/b', '/a', '/a']) {
    log.audit.record(visitorRecord({ action: 'publicLook', status: 200, share: 'link', path }))
  }
  const lines = (await log.audit.find({}, 10)).map(({ path, times }) => [path, times])
  expect(lines).toEqual([
    ['/a', 2],
    ['/b', 1],
    ['/a', 1],
  ])
})

test('refusals of more addresses than are remembered are all counted', async () => {
  using log = await open()
  const many = 15_000
  for (let number = 0; number < many; number += 1) {
    const address = `2001:db8:${(number >> 8).toString(16)}:${(number & 255).toString(16)}::`
    for (let turn = 0; turn < 3; turn += 1) log.audit.record(visitorRecord({ address }))
  }
  let [sum, before] = [0, Number.MAX_SAFE_INTEGER]
  for (;;) {
    const page = await log.audit.find({ before }, 10_000)
    if (page.length === 0) break
    for (const { times } of page) sum += times
    before = page.at(-1)?.id ?? 0
  }
  expect(sum).toBe(many * 3)
})

test('while audit records cannot be written, a limited number waits, the newest ones @limit-73', async () => {
  using log = await open()
  const { audit, rows } = log
  const insert = rows.insert.bind(rows)
  const waiting: number[] = []
  rows.insert = (records) => {
    waiting.push(records.length)
    throw new Error('full')
  }
  for (let number = 0; number < 5000; number += 1) {
    audit.record(signedIn(`/${number}/${'x'.repeat(4000)}`))
    // What is due is written between two requests.
    await new Promise(setImmediate)
  }
  expect(Math.max(...waiting)).toBeLessThan(1100)
  expect(waiting.length).toBeLessThan(20)
  rows.insert = insert
  expect((await audit.find({}, 1))[0]?.path).toStartWith('/4999/')
})
