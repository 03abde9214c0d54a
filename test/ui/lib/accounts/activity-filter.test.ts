import { expect, test } from 'bun:test'
import '../../browser.ts'
import {
  filterQuery,
  NO_FILTER,
  parseFilter,
  recordsUrl,
} from '#ui/lib/accounts/activity-filter.ts'

test('a filter survives the conversion to a URL and back', () => {
  const filter = {
    username: 'ana & co',
    action: 'delete',
    path: '100%',
    from: '2026-11-01',
    until: '2026-11-18',
  } as const
  expect(parseFilter(filterQuery(filter))).toEqual(filter)
  expect(filterQuery(NO_FILTER)).toBe('')
})

test('invalid values are ignored', () => {
  expect(parseFilter('?action=explode&from=yesterday&username=')).toEqual(NO_FILTER)
})

test('failed log-ins are a choice of their own beside successful ones', () => {
  const asked = (action: 'signIn' | 'signInFailed' | 'delete') =>
    recordsUrl({ ...NO_FILTER, action })
  expect(asked('signIn')).toEndWith('?action=signIn&result=succeeded')
  expect(asked('signInFailed')).toEndWith('?action=signIn&result=failed')
  expect(asked('delete')).toEndWith('?action=delete')
  expect(parseFilter('?action=signInFailed').action).toBe('signInFailed')
})

test('the server is asked for whole days of the user’s calendar', () => {
  const query = new URL(
    recordsUrl({ ...NO_FILTER, from: '2026-11-18', until: '2026-11-18' }, { before: 7 }),
    'http://files.test',
  ).searchParams
  const from = new Date(query.get('from') ?? '')
  const until = new Date(query.get('until') ?? '')
  expect([from.getFullYear(), from.getMonth(), from.getDate(), from.getHours()]).toEqual([
    2026, 10, 18, 0,
  ])
  expect([until.getDate(), until.getHours()]).toEqual([19, 0])
  expect(query.get('before')).toBe('7')
  expect(query.has('action')).toBe(false)
})
