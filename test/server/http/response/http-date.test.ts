/** Dates of headers, in the three formats of RFC 9110 section 5.6.7. */
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { parseHttpDate } from '#server/http/response/http-date.ts'

afterEach(() => {
  setSystemTime()
})

const at = (text: string) => {
  const ms = parseHttpDate(text)
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

test.each([
  'Sun, 06 Nov 1994 08:49:37 GMT',
  'Sunday, 06-Nov-94 08:49:37 GMT',
  'Sun Nov  6 08:49:37 1994',
  ' Sun, 06 Nov 1994 08:49:37 GMT ',
])('%j is a date', (text) => {
  expect(at(text)).toBe('1994-11-06T08:49:37.000Z')
})

test('a year of two digits is at most fifty years in the future', () => {
  setSystemTime(new Date('2026-11-28T00:00:00Z'))
  expect(at('Friday, 06-Nov-76 08:49:37 GMT')).toBe('2076-11-06T08:49:37.000Z')
  expect(at('Friday, 06-Nov-77 08:49:37 GMT')).toBe('1977-11-06T08:49:37.000Z')
})

test.each([
  '',
  '1',
  'nonsense',
  '1994-11-06',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 +0000',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 25:49:37 GMT',
  'Sun, 6 Nov 1994 08:49:37 GMT',
])('%j is not a date', (text) => {
  expect(at(text)).toBeUndefined()
})
