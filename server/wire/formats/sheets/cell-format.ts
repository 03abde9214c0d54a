/** Number formats of spreadsheets (ECMA-376 part 1, 18.8.30): dates, percentages, decimals and thousands. */

import { DAY_MS } from '../../units.ts'

export type CellFormat =
  | { kind: 'general' }
  | { kind: 'number'; decimals: number; hasGrouping: boolean; isPercent: boolean }
  | DateFormat

interface DateFormat {
  kind: 'date'
  hasDate: boolean
  hasTime: boolean
  /** Whether it is a duration, whose hours may be more than 23: `[h]:mm`. */
  isDuration: boolean
}

/** The codes of the built-in formats, which files refer to only by number. */
const BUILT_IN: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
}

const GENERAL: CellFormat = { kind: 'general' }

/**
 * @param id the number of the format
 * @param code the format itself, if the file defines it; undefined for a built-in format
 */
export function cellFormatOf(id: number, code: string | undefined): CellFormat {
  const source = code ?? BUILT_IN[id]
  if (source === undefined || /^general/i.test(source)) return GENERAL
  // The first part is for positive numbers. Quoted texts, escapes and conditions do not matter here.
  const [first = ''] = source.split(';')
  const bare = first.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').toLowerCase()
  const hasTime = /[hs]/.test(bare) || /\[[hms]+\]/i.test(first)
  const hasDate = /[yd]/.test(bare) || (/m/.test(bare) && !hasTime)
  const isDuration = !hasDate && /\[h+\]/i.test(first)
  if (hasDate || hasTime) return { kind: 'date', hasDate, hasTime, isDuration }
  if (!/[0#]/.test(bare)) return GENERAL
  return {
    kind: 'number',
    decimals: Math.min(15, /\.([0#?]*)/.exec(bare)?.[1]?.length ?? 0),
    hasGrouping: /[0#],[0#]/.test(bare),
    isPercent: bare.includes('%'),
  }
}

interface FormatOptions {
  language: string
  /** Whether day 0 is 1904-01-01. */
  from1904?: boolean
}

/** @returns the text that a cell with this number shows */
export function formatCell(
  value: number,
  format: CellFormat,
  { language, from1904 = false }: FormatOptions,
): string {
  if (!Number.isFinite(value)) return ''
  if (format.kind === 'general') return String(Number(value.toPrecision(15)))
  if (format.kind === 'date') return formatSerial(value, format, from1904)
  return new Intl.NumberFormat(language, {
    style: format.isPercent ? 'percent' : 'decimal',
    minimumFractionDigits: format.decimals,
    maximumFractionDigits: format.decimals,
    useGrouping: format.hasGrouping,
  }).format(value)
}

/** Day 0 of the two date systems, in milliseconds. */
const DAY_0_OF_1900 = Date.UTC(1899, 11, 30)
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1)

/**
 * @param days since day 0 of the spreadsheet
 * @returns the date, the time of day or both, as in ISO 8601; or the duration
 */
function formatSerial(
  days: number,
  { hasDate, hasTime, isDuration }: DateFormat,
  from1904: boolean,
): string {
  const seconds = Math.round(days * 86_400)
  const ms = (from1904 ? DAY_0_OF_1904 : DAY_0_OF_1900) + seconds * 1000
  const time = new Date(ms)
  if (Number.isNaN(time.getTime())) return String(days)
  const [date = '', clock = ''] = time
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .split('T')
  if (!hasTime || (hasDate && ms % DAY_MS === 0)) return date
  const shortClock = clock.endsWith(':00') ? clock.slice(0, -3) : clock
  if (isDuration && seconds >= 0) {
    const hours = String(Math.floor(seconds / 3600)).padStart(2, '0')
    return hours + shortClock.slice(2)
  }
  return hasDate ? `${date} ${shortClock}` : shortClock
}
