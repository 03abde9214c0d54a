/** Days as `2026-11-18`, in the Gregorian calendar and without a time zone. Pure. */

import { DAY_MS } from '#wire/units.ts'

/** The day of a moment in the local time. */
export function dayOf(moment: Date): string {
  return isoOf(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()))
}

/** @returns the day; undefined if the calendar does not have this date, such as 31 February */
export function toDay(year: number, month: number, date: number): string | undefined {
  if (!(year >= 1 && year <= 9999 && month <= 12 && date <= 31)) return undefined
  const day = isoOf(new Date(0).setUTCFullYear(year, month - 1, date))
  return partsOf(day).join() === [year, month, date].join() ? day : undefined
}

/** @returns year, month (1 to 12) and date */
export function partsOf(day: string): [year: number, month: number, date: number] {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return [year, month, date]
}

/** The start of the day in UTC, for formats with `timeZone: 'UTC'`. */
export function utcOf(day: string): Date {
  return new Date(`${day}T00:00Z`)
}

export function addDays(day: string, count: number): string {
  return isoOf(utcOf(day).getTime() + count * DAY_MS)
}

/** The same date `count` months later, or the last date of that month if the month is shorter. */
export function addMonths(day: string, count: number): string {
  const [year, month, date] = partsOf(day)
  // Not Date.UTC, for which the years 0 to 99 are those from 1900 on.
  const last = new Date(new Date(0).setUTCFullYear(year, month + count, 0))
  return isoOf(last.setUTCDate(Math.min(date, last.getUTCDate())))
}

/** @returns the day, or the nearest one from `min` to `max` */
export function nearestAllowed(
  day: string,
  min: string | undefined,
  max: string | undefined,
): string {
  if (max && day > max) return max
  return min && day < min ? min : day
}

/** 1 for Monday to 7 for Sunday. */
function weekdayOf(day: string): number {
  return utcOf(day).getUTCDay() || 7
}

/** The first day of the week of `day`; `firstWeekday`: 1 for Monday to 7 for Sunday. */
export function startOfWeek(day: string, firstWeekday: number): string {
  return addDays(day, -((weekdayOf(day) - firstWeekday + 7) % 7))
}

/** The weeks that show the month of `day`, seven days each; the first and last may have days of other months. */
export function weeksOf(day: string, firstWeekday: number): string[][] {
  const month = day.slice(0, 7)
  const first = startOfWeek(`${month}-01`, firstWeekday)
  const weeks: string[][] = []
  for (let start = first; start === first || start.startsWith(month); start = addDays(start, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(start, index)))
  }
  return weeks
}

function isoOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
