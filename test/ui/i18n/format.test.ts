import { describe, expect, test } from 'bun:test'
import '../browser.ts'
import {
  formatDate,
  formatExactSize,
  formatMoment,
  formatParts,
  formatPercent,
  formatSize,
  formatSpan,
  formatTimeLeft,
} from '#ui/i18n/format.ts'
import { i18next } from '#ui/i18n/i18n.ts'

const KIB = 1024
const NOW = new Date(2026, 10, 21, 12, 0)

const local = (...parts: [number, number, number, number, number]) =>
  new Date(...parts).toISOString()

describe('sizes', () => {
  test.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [KIB, '1 KiB'],
    [4.1 * KIB, '4.1 KiB'],
    [8.42 * KIB ** 2, '8.42 MiB'],
    [24.6 * KIB ** 2, '24.6 MiB'],
    [148.3 * KIB ** 3, '148.3 GiB'],
    [1.82 * KIB ** 4, '1.82 TiB'],
    [KIB ** 2 - 1, '1 MiB'],
  ])('%p bytes are %s', (bytes, text) => {
    expect(formatSize(Math.round(bytes))).toBe(text)
  })

  test('an exact size is in bytes, and a fraction is a percentage', () => {
    expect(formatExactSize(1)).toBe('1 byte')
    expect(formatExactSize(47_151_677)).toBe('47,151,677 bytes')
    expect(formatPercent(0.403)).toBe('40%')
  })
})

test('texts beside each other have the separator of the language', async () => {
  expect(formatParts(['2 folders', '6 files'])).toBe('2 folders, 6 files')
  await i18next.changeLanguage('ar')
  expect(formatParts(['مجلدان', '6 ملفات'])).not.toContain(', ')
  await i18next.changeLanguage('en')
})

describe('dates', () => {
  test.each([
    [local(2026, 10, 21, 9, 18), /^Today, /],
    [local(2026, 10, 21, 23, 59), /^Today, /],
    [local(2026, 10, 20, 0, 0), /^Yesterday, /],
    [local(2026, 10, 19, 23, 59), /2026/],
    [local(2025, 10, 21, 12, 0), /2025/],
  ])('the date %s reads as %p', (iso, text) => {
    expect(formatDate(iso, false, NOW)).toMatch(text)
  })

  test.each([
    ['en', /^Today, /],
    ['ar', /^اليوم، /],
    ['ja', /^今日 \d/],
    ['zh-cn', /^今天 \d/],
    ['vi', /^Hôm nay, \d/],
  ])('in %s, day and time are separated as in other dates', async (language, text) => {
    await i18next.changeLanguage(language)
    expect(formatDate(local(2026, 10, 21, 9, 18), false, NOW)).toMatch(text)
    await i18next.changeLanguage('en')
  })

  test('dates are exact if the user prefers that', () => {
    expect(formatDate(local(2026, 10, 21, 9, 18), true, NOW)).toMatch(/2026.*9:18:00/)
  })

  test('an invalid date is empty', () => {
    expect(formatDate('never')).toBe('')
  })
})

describe('spans', () => {
  test.each([
    [0, '1 minute'],
    [61, '2 minutes'],
    [3600, '1 hour'],
    [3601, '2 hours'],
    [86_400, '1 day'],
    [7 * 86_400 - 20, '7 days'],
    [30 * 86_400 - 60, '30 days'],
    [400 * 86_400, '400 days'],
    [10 * 365 * 86_400 - 60, '10 years'],
  ])('%p seconds are %s', (seconds, text) => {
    expect(formatSpan(seconds)).toBe(text)
  })

  test.each([
    [0, '1 second'],
    [0.2, '1 second'],
    [24, '24 seconds'],
    [59.5, '1 minute'],
    [139, '3 minutes'],
    [3600 * 99, '5 days'],
  ])('%p seconds left read %s @spec-2.24', (seconds, text) => {
    expect(formatTimeLeft(seconds)).toBe(text)
  })

  test('a span beyond the largest date has no end date', () => {
    expect(formatMoment(new Date(2_147_483_647 * 86_400_000))).toBe('')
    expect(formatMoment(new Date(2026, 10, 28, 14, 40))).toContain('2026')
  })
})
