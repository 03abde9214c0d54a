/** Formats sizes, numbers and dates in the language of the interface and the user's region. */
import { splitBytes } from '#ui/lib/text/bytes.ts'
import { DAY_MS } from '#wire/units.ts'
import { i18next, t } from './i18n.ts'

/** A size as `8.42 MiB`: up to two decimals below ten, else up to one; bytes have none. */
export function formatSize(bytes: number): string {
  const { value, unit } = splitBytes(bytes)
  const decimals = unit === 'B' ? 0 : value < 10 ? 2 : 1
  return t(`size.${unit}`, { value: numberFormat(decimals).format(value) })
}

/** A size for a column, in which all rows have the same number of decimals: one, and none for bytes. */
export function formatColumnSize(bytes: number): string {
  const { value, unit } = splitBytes(bytes)
  return t(`size.${unit}`, { value: numberFormat(Number(unit !== 'B'), true).format(value) })
}

/** The exact size, for a tooltip: `8,829,010 bytes`. */
export function formatExactSize(bytes: number): string {
  return t('size.exact', { count: bytes, value: formatNumber(bytes) })
}

export function formatNumber(value: number): string {
  return numberFormat(0).format(value)
}

/** A list of names in a sentence: `ls, cat and sh`. */
export function formatList(names: readonly string[]): string {
  return listFormat().format(names)
}

/** Texts beside each other, with the separator of the language: `2 folders, 6 files`. */
export function formatParts(texts: readonly string[]): string {
  return partsFormat().format(texts)
}

/** A fraction between 0 and 1 as `40%`. */
export function formatPercent(fraction: number): string {
  return percentFormat().format(fraction)
}

/** A factor: `1.25×`. */
export function formatFactor(factor: number): string {
  return `${numberFormat(2).format(factor)}×`
}

/**
 * A date for a column: `Today, 14:32`, `Yesterday, 18:05`, else the date and the time; with `isExact` always the date,
 * with seconds.
 */
export function formatDate(iso: string, isExact = false, now = new Date()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  if (isExact) return exactFormat().format(date)
  const days = calendarDaysBetween(now, date)
  if (days === 0 || days === -1)
    return `${dayName(days)}${dateTimeSeparator()}${timeFormat().format(date)}`
  return dateFormat().format(date)
}

/** A date within a sentence: `28 Nov 2026, 14:40`; empty for an invalid date. */
export function formatMoment(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : dateFormat().format(date)
}

/** A duration in its largest unit, rounded up: a minute after 30 days began, `30 days` are left. Years are rounded. */
export function formatSpan(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const years = Math.round(minutes / YEAR_MINUTES)
  if (years > 1) return spanFormat('year').format(years)
  const [unit, length] = SPANS.find(([, inMinutes]) => minutes >= inMinutes) ?? ['minute', 1]
  return spanFormat(unit).format(Math.ceil(minutes / length))
}

/** A short delay, in seconds if it is less than a minute: `24 seconds`. */
export function formatWait(seconds: number): string {
  return seconds < 60 ? spanFormat('second').format(seconds) : formatSpan(seconds)
}

/** The remaining time: `3 minutes`, and in the last minute `24 seconds`; never zero. */
export function formatTimeLeft(seconds: number): string {
  return formatWait(Math.max(1, Math.ceil(seconds)))
}

const YEAR_MINUTES = 525_600
const SPANS = [
  ['day', 1440],
  ['hour', 60],
] as const

/** The complete date and time, for a tooltip. */
export function formatFullDate(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : fullFormat().format(date)
}

/** The range from the earliest to the latest day: `13 – 14 Nov 2026`. */
export function formatDateRange(from: Date, to: Date): string {
  return dayFormat().formatRange(from, to)
}

/** The name with a capital at its beginning, as the language of the interface writes it. */
export function capitalized(name: string): string {
  return name.charAt(0).toLocaleUpperCase(regionalTag()) + name.slice(1)
}

const numberFormat = (decimals: number, isFixed = false) =>
  cached(
    `number${decimals}${isFixed}`,
    (tag) =>
      new Intl.NumberFormat(tag, {
        maximumFractionDigits: decimals,
        minimumFractionDigits: isFixed ? decimals : 0,
      }),
  )
const percentFormat = () =>
  cached('percent', (tag) => new Intl.NumberFormat(tag, { style: 'percent' }))
export const timeFormat = () =>
  cached('time', (tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'short' }))
export const dayFormat = () =>
  cached('day', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }))
const dateFormat = () =>
  cached('date', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }))
const exactFormat = () =>
  cached(
    'exact',
    (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }),
  )
const spanFormat = (unit: string) =>
  cached(
    `span ${unit}`,
    (tag) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }),
  )
const listFormat = () => cached('list', (tag) => new Intl.ListFormat(tag))
const partsFormat = () => cached('parts', (tag) => new Intl.ListFormat(tag, { style: 'narrow' }))
const fullFormat = () =>
  cached('full', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long' }))
const relativeFormat = () =>
  cached('relative', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))

/** The formats, by kind and language. */
const formats = new Map<string, unknown>()

/** Intl formats are expensive to create: one of each kind and language is cached. */
export function cached<Format>(kind: string, create: (tag: string) => Format): Format {
  const tag = regionalTag()
  const key = `${kind} ${tag}`
  // A key belongs to one kind of format, so the cached value was created by the same function.
  const stored = formats.get(key) as Format | undefined
  const format = stored ?? create(tag)
  if (!stored) formats.set(key, format)
  return format
}

/** The language of the interface with the region of the browser: `en` on a British system becomes `en-GB`. */
function regionalTag(): string {
  const language = i18next.language
  const browserTags = globalThis.navigator?.languages ?? []
  // Rows that scroll ask for it often. The browser has another array after a change of its languages.
  if (regional.language === language && regional.browserTags === browserTags) return regional.tag
  const tag = browserTags.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language
  regional = { language, browserTags, tag }
  return tag
}

let regional: { language: string; browserTags: readonly string[]; tag: string } = {
  language: '',
  browserTags: [],
  tag: '',
}

/** What the language puts between a date and a time: a comma of its script, or a space. */
function dateTimeSeparator(): string {
  return cached('separator', () => {
    const parts = dateFormat().formatToParts(0)
    const time = parts.findIndex(({ type }) => type === 'hour' || type === 'dayPeriod')
    // Without the sign of a day, as in Chinese. Vietnamese puts the time first.
    return /[,،、]?\s+$/.exec(parts[time - 1]?.value ?? '')?.[0] ?? ', '
  })
}

export function dayName(days: number): string {
  return cached(`day ${days}`, () => capitalized(relativeFormat().format(days, 'day')))
}

export function calendarDaysBetween(from: Date, to: Date): number {
  const dayOf = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((dayOf(to) - dayOf(from)) / DAY_MS)
}
