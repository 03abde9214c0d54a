import { expect, test } from 'bun:test'
import { permissionsOf, permits } from '#wire/permissions.ts'
import { formatEnglishSize, parseDuration, parseSize } from '#wire/units.ts'

test('sizes are parsed as bytes, in binary units', () => {
  expect(['512', '10MB', '1.5 GiB', '2k', '3 tb', '7B'].map(parseSize)).toEqual([
    512,
    10 * 2 ** 20,
    1.5 * 2 ** 30,
    2048,
    3 * 2 ** 40,
    7,
  ])
  expect(['', 'ten', '-1', '1XB', '1 2'].map(parseSize)).toEqual(Array(5).fill(undefined))
})

test('sizes are written in binary units', () => {
  expect([0, 1023, 1536, 10 * 2 ** 30].map(formatEnglishSize)).toEqual([
    '0 B',
    '1023 B',
    '1.5 KiB',
    '10 GiB',
  ])
})

test('durations are parsed as seconds', () => {
  expect(['2h', '2h30m', '90s', '1d', '500ms'].map(parseDuration)).toEqual([
    7200, 9000, 90, 86_400, 0.5,
  ])
  expect(['', '2', '-1h', 'h', '1h 2m'].map(parseDuration)).toEqual(Array(5).fill(undefined))
})

test('an administrator has every right, other users the granted ones, and sharing needs the right to download', () => {
  expect(permits(permissionsOf('admin'), 'execute')).toBe(true)
  expect(permits(permissionsOf('create'), 'delete')).toBe(false)
  expect(permits(permissionsOf('share'), 'share')).toBe(false)
  expect(permits(permissionsOf('share', 'download'), 'share')).toBe(true)
  expect(permits(permissionsOf(), 'look')).toBe(true)
})
