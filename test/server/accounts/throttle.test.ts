import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { Throttle } from '#server/accounts/throttle.ts'
import { isFault } from '#wire/fault.ts'

afterEach(() => setSystemTime())

function waits(throttle: Throttle, account: string, address: string, known = false): number {
  try {
    throttle.mayTry(account, address, known)
    return 0
  } catch (error) {
    return isFault(error, 'tooMany') ? (error.retryAfterSec ?? 0) : -1
  }
}

test('waits grow, end, and are forgotten', () => {
  setSystemTime(new Date(0))
  const throttle = new Throttle()
  const seen: number[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    throttle.failed('anna', '192.0.2.1')
    seen.push(waits(throttle, 'anna', '192.0.2.1'))
  }
  expect(seen).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16])
  setSystemTime(new Date(16_000))
  expect(waits(throttle, 'anna', '192.0.2.1')).toBe(0)
  throttle.failed('anna', '192.0.2.1')
  expect(waits(throttle, 'anna', '192.0.2.1')).toBe(32)
  setSystemTime(new Date(2 * 3600_000))
  throttle.failed('anna', '192.0.2.1')
  expect(waits(throttle, 'anna', '192.0.2.1')).toBe(0)
})

test('one guesser shuts out neither the person elsewhere nor other accounts at first', () => {
  const throttle = new Throttle()
  for (let turn = 0; turn < 20; turn += 1) throttle.failed('anna', '192.0.2.1')
  expect(waits(throttle, 'anna', '198.51.100.1')).toBe(0)
  expect(waits(throttle, 'bob', '192.0.2.1')).toBe(0)
})

test('many addresses at one account are slowed, but whoever holds a session of it is not', () => {
  const throttle = new Throttle()
  for (let turn = 0; turn < 70; turn += 1) throttle.failed('anna', `192.0.2.${turn}`)
  expect(waits(throttle, 'anna', '198.51.100.1')).toBeGreaterThan(0)
  expect(waits(throttle, 'anna', '198.51.100.1', true)).toBe(0)
})
