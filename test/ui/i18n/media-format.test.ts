import { expect, test } from 'bun:test'
import '../browser.ts'
import { formatExposure, formatGroupDate, formatPosition } from '#ui/i18n/media-format.ts'

test('an exposure is written as on a camera, and leaves out unknown values', () => {
  const exposure = { seconds: 0.004, aperture: 2.8, iso: 400, focalLength: 35 }
  expect(formatExposure(exposure)).toBe('1/250 s · f/2.8 · ISO 400 · 35 mm')
  expect(formatExposure({ seconds: 1.5, aperture: 8 })).toBe('1.5 s · f/8')
  expect(formatExposure({})).toBe('')
})

test('a position is written in degrees with the direction', () => {
  expect(formatPosition({ latitude: 68.09171, longitude: -13.5 })).toBe('68.0917° N, 13.5° W')
  expect(formatPosition({ latitude: -33.8, longitude: 151.2 })).toBe('33.8° S, 151.2° E')
})

test('the heading of a day has the weekday, and that of a month has not', () => {
  const date = new Date(2024, 2, 9)
  expect(formatGroupDate({ date, unit: 'day' })).toBe('Saturday, March 9, 2024')
  expect(formatGroupDate({ date, unit: 'month' })).toBe('March 2024')
})
