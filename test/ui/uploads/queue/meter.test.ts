import { describe, expect, test } from 'bun:test'
import {
  EMPTY_METER,
  isStalled,
  measure,
  secondsLeft,
  type UploadMeter,
} from '#ui/uploads/queue/meter.ts'

/** One sample a second, each with the bytes sent until then. */
function metered(...bytes: number[]): UploadMeter {
  return bytes.reduce((meter, sent, at) => measure(meter, sent, at * 1000), EMPTY_METER)
}

describe('the meter', () => {
  test('the meter knows no speed before the second sample', () => {
    expect(metered(0).bytesPerSec).toBeUndefined()
    expect(metered(0, 100).bytesPerSec).toBe(100)
  })

  test('the meter does not change within one sampling interval', () => {
    const meter = metered(0, 100)
    expect(measure(meter, 5000, 1999)).toBe(meter)
    expect(measure(meter, 200, 2000)).not.toBe(meter)
  })

  test('the meter gives the newest average a weight of 0.2 @spec-9.1', () => {
    // Averages are 100 and then (400 - 0) / 2 = 200.
    expect(metered(0, 100, 400).bytesPerSec).toBeCloseTo(0.2 * 200 + 0.8 * 100)
  })

  test('the meter averages over the last five seconds only @spec-9.1', () => {
    const steady = metered(0, 0, 0, 0, 0, 0, 0, 500)
    expect(steady.samples).toHaveLength(6)
    expect(steady.bytesPerSec).toBeCloseTo(0.2 * 100)
  })

  test('an upload that restarted has no negative speed', () => {
    expect(metered(0, 1000, 200, 0, 0, 0, 0).bytesPerSec).toBeGreaterThanOrEqual(0)
    expect(metered(1000, 0).bytesPerSec).toBe(0)
  })
})

test('an upload is stalled when nothing was sent for two seconds', () => {
  expect(isStalled(metered(0))).toBe(false)
  expect(isStalled(metered(0, 100, 100))).toBe(false)
  expect(isStalled(metered(0, 100, 100, 100))).toBe(true)
  expect(isStalled(metered(0, 100, 100, 100, 101))).toBe(false)
})

describe('the time left', () => {
  test('the time left is unknown without a speed, and zero at the end', () => {
    expect(secondsLeft(EMPTY_METER, 100)).toBeUndefined()
    expect(secondsLeft(metered(0, 0), 100)).toBeUndefined()
    expect(secondsLeft(EMPTY_METER, 0)).toBe(0)
  })

  test('the time left is computed from the speed', () => {
    expect(secondsLeft(metered(0, 100), 1000)).toBe(10)
  })
})
