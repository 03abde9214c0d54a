/** Dates in headers (RFC 9110 section 5.6.7). */

/** The three formats that a recipient accepts; the last two are obsolete. */
const FORMATS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  // Sunday, 06-Nov-94 08:49:37 GMT
  /^[A-Z][a-z]{2,5}day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  // Sun Nov  6 08:49:37 1994
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A year of two digits is at most this many years in the future. */
const FUTURE_YEARS_MAX = 50

/** @returns milliseconds since 1970; undefined if the text is not an HTTP date, which a recipient ignores */
export function parseHttpDate(text: string): number | undefined {
  for (const format of FORMATS) {
    const parts = format.exec(text.trim())?.groups
    if (!parts) continue
    const { day = '', month = '', year = '', time = '' } = parts
    const monthNumber = `${MONTHS.indexOf(month) + 1}`.padStart(2, '0')
    const date = `${fullYearOf(year)}-${monthNumber}-${day.replace(' ', '0')}`
    const ms = Date.parse(`${date}T${time}Z`)
    return Number.isNaN(ms) ? undefined : ms
  }
  return undefined
}

function fullYearOf(year: string): string {
  if (year.length === 4) return year
  const thisYear = new Date().getUTCFullYear()
  const full = thisYear - (thisYear % 100) + Number(year)
  return `${full > thisYear + FUTURE_YEARS_MAX ? full - 100 : full}`
}
