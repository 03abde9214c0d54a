import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Audit } from '#server/audit/audit.ts'
import { AuditRows, type NewAct } from '#server/db/audit.ts'
import { openDatabase } from '#server/db/open.ts'
import { temporaryFolder } from '../../support/tree.ts'

const DAY_MS = 24 * 60 * 60_000
const act = (path: string, atMs = Date.now()): NewAct => ({
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
})

test('age and number take acts away, the oldest first', () => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const audit = new Audit(new AuditRows(database), { keepMs: DAY_MS, entries: 3 })
  audit.record(act('/old', Date.now() - 2 * DAY_MS))
  for (const name of ['a', 'b', 'c', 'd']) audit.record(act(`/${name}`))
  expect(audit.find({}, 10)).toHaveLength(5)
  audit.forget()
  expect(audit.find({}, 10).map(({ path }) => path)).toEqual(['/d', '/c', '/b'])
  audit.close()
  database.close()
  folder.remove()
})

test('a flood of acts is cut before the hour is over', () => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const audit = new Audit(new AuditRows(database), { keepMs: DAY_MS, entries: 3 })
  for (let number = 0; number < 10_000; number += 1) audit.record(act(`/${number}`))
  expect(audit.find({}, 10).map(({ path }) => path)).toEqual(['/9999', '/9998', '/9997'])
  audit.close()
  database.close()
  folder.remove()
})

test('what was recorded at the last moment is written at the end', () => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder.path, 'f.db'))
  const rows = new AuditRows(database)
  const audit = new Audit(rows, { keepMs: DAY_MS, entries: 10 })
  audit.record(act('/late'))
  expect(rows.find({}, 1)).toEqual([])
  audit.close()
  expect(rows.find({}, 1)).toMatchObject([{ path: '/late' }])
  database.close()
  folder.remove()
})
