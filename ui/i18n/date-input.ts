/** Dates that users type and pick: in the language of the interface, and not in that of the browser. */
import { partsOf, toDay, utcOf } from '#ui/lib/text/calendar.ts'
import { cached } from './format.ts'

type DateField = 'year' | 'month' | 'day'

/** A day in digits, as users type it: `18/11/2026`. Empty for an empty day. */
export function formatTypedDay(day: string): string {
  return day === '' ? '' : typedFormat().format(utcOf(day))
}

/**
 * Parses a day in digits, in the order of the language or as `2026-11-18`. A year of two digits is in this century.
 *
 * @returns undefined if the text is no day
 */
export function parseTypedDay(text: string): string | undefined {
  const numbers = latinDigits(text).match(/\d+/g)?.map(Number) ?? []
  if (numbers.length !== 3) return undefined
  const [first = 0] = numbers
  const order: readonly DateField[] = first > 31 ? ['year', 'month', 'day'] : typedOrder()
  const numberOf = (field: DateField) => numbers[order.indexOf(field)] ?? 0
  const year = numberOf('year')
  return toDay(year < 100 ? 2000 + year : year, numberOf('month'), numberOf('day'))
}

/** A day with its weekday, for a screen reader. */
export function formatWholeDay(day: string): string {
  return wholeFormat().format(utcOf(day))
}

/** The date of a month in the digits of the language. */
export function formatDateOfMonth(day: string): string {
  const [, , date] = partsOf(day)
  return numberFormat().format(date)
}

/** `November 2026` */
export function formatMonth(day: string): string {
  return monthFormat().format(utcOf(day))
}

/** The weekday as a column heading, and in full. */
export function formatWeekday(day: string): { short: string; full: string } {
  const moment = utcOf(day)
  return {
    short: weekdayFormat('short').format(moment),
    full: weekdayFormat('long').format(moment),
  }
}

/** The first weekday of the region: 1 for Monday to 7 for Sunday. */
export function firstWeekday(): number {
  return cached('first weekday', (tag) => {
    const locale: Intl.Locale & { getWeekInfo?(): { firstDay: number } } = new Intl.Locale(tag)
    return { day: locale.getWeekInfo?.().firstDay ?? 1 }
  }).day
}

/** An hour of the day, 0 to 23: `2 PM`, `14`. */
export function formatHour(hour: number): string {
  return hourFormat().format(Date.UTC(2000, 0, 1, hour))
}

/** A minute, 0 to 59, with two digits. */
export function formatMinute(minute: number): string {
  return minuteFormat().format(minute)
}

/** The name of a field of a time: `hour`. */
export function timeFieldName(field: 'hour' | 'minute'): string {
  const names = cached(
    'time fields',
    (tag) => new Intl.DisplayNames(tag, { type: 'dateTimeField' }),
  )
  return names.of(field) ?? field
}

const GREGORIAN = { calendar: 'gregory', timeZone: 'UTC' } as const

const typedFormat = () =>
  cached(
    'typed day',
    (tag) =>
      new Intl.DateTimeFormat(tag, {
        ...GREGORIAN,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      }),
  )
const wholeFormat = () =>
  cached('whole day', (tag) => new Intl.DateTimeFormat(tag, { ...GREGORIAN, dateStyle: 'full' }))
const monthFormat = () =>
  cached(
    'month',
    (tag) => new Intl.DateTimeFormat(tag, { ...GREGORIAN, year: 'numeric', month: 'long' }),
  )
const weekdayFormat = (weekday: 'short' | 'long') =>
  cached(`weekday ${weekday}`, (tag) => new Intl.DateTimeFormat(tag, { ...GREGORIAN, weekday }))
const hourFormat = () =>
  cached('hour', (tag) => new Intl.DateTimeFormat(tag, { ...GREGORIAN, hour: 'numeric' }))
const minuteFormat = () =>
  cached('minute', (tag) => new Intl.NumberFormat(tag, { minimumIntegerDigits: 2 }))
const numberFormat = () => cached('date of month', (tag) => new Intl.NumberFormat(tag))

/** The order of the fields in the language, without the separators. */
function typedOrder(): DateField[] {
  return typedFormat()
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'year' || type === 'month' || type === 'day')
}

/** Arabic-Indic digits and their eastern forms as ASCII digits. */
function latinDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) =>
    String(digit.charCodeAt(0) & 0x0f),
  )
}
