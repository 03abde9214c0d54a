import { afterAll, beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { NO_FILTER } from '#ui/lib/accounts/activity-filter.ts'
import {
  audit,
  clearRecords,
  loadOlderRecords,
  loadRecords,
  undoRecord,
} from '#ui/state/administration/audit.ts'
import { session } from '#ui/state/session/session.ts'
import { LIMITS } from '#wire/limits.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { serve, userOf } from '../../browser.ts'

const ALL = 250
let listRequests = 0

beforeEach(async () => {
  listRequests = 0
  serve(({ method, url }) => {
    if (method === 'POST') return Response.json({ id: 1, undoneBy: 2, fault: '', problem: '' })
    listRequests += 1
    const { searchParams } = new URL(url, 'http://host')
    const before = Number(searchParams.get('before') ?? ALL + 1)
    const limit = Number(searchParams.get('limit') ?? LIMITS.auditPage)
    const ids = Array.from({ length: ALL }, (_, index) => ALL - index)
    const page = ids.filter((id) => id < before).slice(0, limit)
    return Response.json(page.map((id) => ({ id, entry: id, undoneBy: 0, action: 'rename' })))
  })
  session.user = userOf({ perm: permissionsOf('download') })
  await Promise.resolve()
  await loadRecords(NO_FILTER)
})

afterAll(() => {
  clearRecords()
  session.user = null
})

test('after an undo, all records that were shown are still shown', async () => {
  await loadOlderRecords()
  expect(audit.records).toHaveLength(2 * LIMITS.auditPage)
  await undoRecord({ entry: 120 })
  expect(audit.records).toHaveLength(2 * LIMITS.auditPage)
  expect(audit.hasMore).toBe(true)
})

test('an undo that ends after the page was left loads no records', async () => {
  const undone = undoRecord({ entry: 120 })
  clearRecords()
  await undone
  expect([listRequests, audit.records]).toEqual([1, undefined])
})
