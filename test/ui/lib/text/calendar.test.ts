import { expect, test } from 'bun:test'
import {
  addDays,
  addMonths,
  dayOf,
  nearestAllowed,
  startOfWeek,
  toDay,
  weeksOf,
} from '#ui/lib/text/calendar.ts'

test('a moment is on its local day', () => {
  expect(dayOf(new Date(2026, 0, 31, 23, 59))).toBe('2026-01-31')
  expect(dayOf(new Date(2026, 0, 1, 0, 0))).toBe('2026-01-01')
})

test.each([
  [2026, 2, 28, '2026-02-28'],
  [2026, 2, 29, undefined],
  [2028, 2, 29, '2028-02-29'],
  [2026, 13, 1, undefined],
  [2026, 0, 1, undefined],
  [0, 1, 1, undefined],
  [12026, 1, 1, undefined],
  [300_000, 1, 1, undefined],
  [2026, 1e9, 1, undefined],
  [2026, 1, 1e12, undefined],
  [31, 1, 31, '0031-01-31'],
])('year %p, month %p, date %p is the day %p', (year, month, date, day) => {
  expect(toDay(year, month, date)).toBe(day)
})

test('days and months are counted over the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
  expect(addMonths('0031-01-31', 1)).toBe('0031-02-28')
})

test('a week begins with the first weekday of the region', () => {
  expect(startOfWeek('2026-11-23', 1)).toBe('2026-11-23')
  expect(startOfWeek('2026-11-23', 7)).toBe('2026-11-22')
  expect(startOfWeek('2026-11-23', 6)).toBe('2026-11-21')
})

test('the weeks of a month contain all of its days', () => {
  const weeks = weeksOf('2026-11-18', 1)
  expect(weeks.map(([first]) => first)).toEqual([
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
    '2026-11-30',
  ])
  expect(weeks.at(-1)?.at(-1)).toBe('2026-12-06')
  // A February that fills four weeks.
  expect(weeksOf('2027-02-01', 1)).toHaveLength(4)
})

test('the nearest allowed day is the day itself, or the first or last allowed one', () => {
  expect(nearestAllowed('2026-11-10', '2026-11-18', undefined)).toBe('2026-11-18')
  expect(nearestAllowed('2026-12-10', undefined, '2026-12-01')).toBe('2026-12-01')
  expect(nearestAllowed('2026-11-20', '2026-11-18', '2026-12-01')).toBe('2026-11-20')
})
