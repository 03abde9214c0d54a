/** The rows of the audit log. */
import { expect, test } from 'bun:test'
import { AuditRows, type NewAuditRecord } from '#server/db/rows/audit.ts'
import { countOf, type Given } from './fixture.ts'

const record = (values: Partial<NewAuditRecord> = {}): NewAuditRecord => ({
  atMs: 1,
  userId: 1,
  username: 'anna',
  session: '',
  address: '::1',
  action: 'upload',
  path: '/a',
  to: '',
  whom: '',
  bytes: 5_000_000_000,
  status: 200,
  share: '',
  times: 1,
  entry: 0,
  fault: '',
  ...values,
})

export function describeAuditRows(given: Given): void {
  const pathsOf = async (
    rows: AuditRows,
    ...[filter, limit = 9, bytes = 9999]: Parameters<typeof rows.find> | [object]
  ) => (await rows.find(filter, limit as number, bytes as number)).map(({ path }) => path)

  test('records are found by their columns, newest first, and never changed', async () => {
    const rows = new AuditRows(given.db)
    await rows.insert([
      record({ path: '/1' }),
      record({ path: '/2', userId: 2, username: 'bert', action: 'delete', atMs: 2 }),
      record({ path: '/3', status: 403, fault: 'forbidden', to: '/x/%_y', atMs: 3 }),
    ])
    expect(await rows.find({ username: 'bert' }, 9, 9999)).toMatchObject([
      { path: '/2', bytes: 5_000_000_000, userId: 2, to: '' },
    ])
    expect(await pathsOf(rows, {})).toEqual(['/3', '/2', '/1'])
    expect(await pathsOf(rows, { failed: false })).toEqual(['/2', '/1'])
    expect(await pathsOf(rows, { failed: true, userId: 1 })).toEqual(['/3'])
    expect(await pathsOf(rows, { path: '%_' })).toEqual(['/3'])
    expect(await pathsOf(rows, { path: '/1\n' })).toEqual(['/1'])
    expect(await pathsOf(rows, { action: 'upload', fromMs: 1, untilMs: 3 })).toEqual(['/1'])
    const [newest] = await rows.find({}, 1, 9999)
    expect(await pathsOf(rows, { before: newest?.id ?? 0 })).toEqual(['/2', '/1'])
    const change = given.db.query("UPDATE audit SET path = ''").run()
    await expect(change).rejects.toThrow('the record is never changed')
  })

  test('records are listed by their time, also if older ones were added later, page by page', async () => {
    const rows = new AuditRows(given.db)
    const times = [5, 9, 2, 9, 7]
    await rows.insert(times.map((atMs, index) => record({ atMs, path: `/${index}` })))
    const all = ['/3', '/1', '/4', '/0', '/2']
    expect(await pathsOf(rows, {})).toEqual(all)
    const listed: string[] = []
    for (let before: number | undefined; ; ) {
      const page = await rows.find({ before }, 2, 9999)
      if (page.length === 0) break
      listed.push(...page.map(({ path }) => path))
      before = page.at(-1)?.id
    }
    expect(listed).toEqual(all)
  })

  test('a list ends at its size, and has one record at least', async () => {
    const rows = new AuditRows(given.db)
    await rows.insert(['/1', '/2', '/3'].map((path) => record({ path })))
    const size = (await rows.sizeBytes()) / 3
    expect(await pathsOf(rows, {}, 9, size * 2)).toEqual(['/3', '/2'])
    expect(await pathsOf(rows, {}, 9, 1)).toEqual(['/3'])
  })

  test('records of the user with the most leave, first the oldest uploads', async () => {
    const rows = new AuditRows(given.db)
    await rows.insert([
      record({ path: '/old', atMs: 0 }),
      record({ path: '/share', action: 'share' }),
      record({ path: '/1' }),
      record({ path: '/2' }),
      record({ path: '/other', userId: 2 }),
    ])
    expect(await rows.forget(1, 3)).toBe(true)
    expect(await pathsOf(rows, {})).toEqual(['/other', '/2', '/share'])
    expect(await rows.forget(1, 3)).toBe(false)
    await rows.removeOldest(1)
    expect(await pathsOf(rows, {})).toEqual(['/other', '/share'])
    await rows.removeOldest(9999)
    expect(await countOf(given.db, 'audit')).toBe(0)
  })
}
