import { expect, test } from 'bun:test'
import { Readings } from '#server/audit/readings.ts'
import type { NewAct } from '#server/db/audit.ts'

const HOUR_MS = 60 * 60_000
const piece = (changes: Partial<NewAct> = {}): NewAct => ({
  atMs: 0,
  userId: 1,
  username: 'anna',
  session: 's',
  address: '192.0.2.1',
  action: 'download',
  path: '/film',
  to: '',
  whom: '',
  bytes: 1,
  status: 206,
  share: '',
  times: 1,
  ...changes,
})

test('one reader, one thing, one while', () => {
  const readings = new Readings()
  expect(readings.goesOn(piece())).toBe(false)
  expect(readings.goesOn(piece({ atMs: HOUR_MS - 1 }))).toBe(true)
  expect(readings.goesOn(piece({ atMs: 2 * HOUR_MS - 2 }))).toBe(true)
  expect(readings.goesOn(piece({ atMs: 3 * HOUR_MS }))).toBe(false)
})

test.each<[string, Partial<NewAct>]>([
  ['another session', { session: 'other' }],
  ['another thing', { path: '/b' }],
  ['another link', { share: 'x' }],
  ['a stranger', { session: '' }],
])('%s reads anew', (_, changes) => {
  const readings = new Readings()
  readings.goesOn(piece())
  expect(readings.goesOn(piece(changes))).toBe(false)
})

test('no more is remembered than fits; what was read last stays', () => {
  const readings = new Readings()
  for (let n = 0; n <= 20_000; n += 1) readings.goesOn(piece({ path: `/${n}` }))
  expect(readings.goesOn(piece({ path: '/20000' }))).toBe(true)
  expect(readings.goesOn(piece({ path: '/0' }))).toBe(false)
})
