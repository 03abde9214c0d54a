/** Dates are typed and displayed in the format of the language. */
import { afterAll, describe, expect, test } from 'bun:test'
import '../browser.ts'
import {
  formatHour,
  formatMonth,
  formatTypedDay,
  formatWeekday,
  parseTypedDay,
  timeFieldName,
} from '#ui/i18n/date-input.ts'
import { i18next } from '#ui/i18n/i18n.ts'

const DAY = '2026-11-08'

afterAll(() => i18next.changeLanguage('en'))

describe.each([
  ['de', '08.11.2026', 'November 2026', 'So'],
  ['en', '11/08/2026', 'November 2026', 'Sun'],
  ['fr', '08/11/2026', 'novembre 2026', 'dim.'],
  ['ja', '2026/11/08', '2026年11月', '日'],
  ['sv-se', '2026-11-08', 'november 2026', 'sön'],
])('in %s', (code, typed, month, weekday) => {
  test('a day is written and read in the order of the language', async () => {
    await i18next.changeLanguage(code)
    expect(formatTypedDay(DAY)).toBe(typed)
    expect(parseTypedDay(typed)).toBe(DAY)
    expect(parseTypedDay('2026-11-08')).toBe(DAY)
    expect(formatMonth(DAY)).toBe(month)
    expect(formatWeekday(DAY).short).toBe(weekday)
  })
})

test.each([...'he hu ar ca cs de el es is it ko pl pt ro ru sk tr uk vi'.split(' '), 'zh-cn'])(
  'a date that is written in the language %s is read again',
  async (code) => {
    await i18next.changeLanguage(code)
    expect(parseTypedDay(formatTypedDay(DAY))).toBe(DAY)
  },
)

test('Arabic digits are read', async () => {
  await i18next.changeLanguage('ar')
  expect(parseTypedDay('٨/١١/٢٠٢٦')).toBe(DAY)
})

test('a year of two digits is in this century, and a text that is no day is refused', async () => {
  await i18next.changeLanguage('de')
  expect(parseTypedDay('8.11.26')).toBe(DAY)
  for (const text of ['', '8.11.', '31.2.2026', '2026-13-01', '8.11.2026 12:00', 'morgen']) {
    expect(parseTypedDay(text)).toBeUndefined()
  }
})

test('hours are written as in the language', async () => {
  await i18next.changeLanguage('en')
  expect(formatHour(14)).toBe('2 PM')
  await i18next.changeLanguage('de')
  expect(formatHour(14)).toBe('14 Uhr')
  expect(timeFieldName('minute')).toBe('Minute')
})
