/** The progress of a job, and its speed in the last seconds. */
import { expect, test } from 'bun:test'
import { JobMeter } from '#server/jobs/context/meter.ts'
import { parsePath } from '#wire/paths.ts'

test('a meter counts files and bytes of the current item, and the speed over all items', () => {
  const meter = new JobMeter()
  meter.next(parsePath('/a'))
  meter.copied(100, 0)
  meter.done()
  expect([meter.files, meter.bytes, meter.current]).toEqual([1, 100, parsePath('/a')])
  meter.begin()
  meter.copied(200, 2000)
  expect([meter.files, meter.bytes, meter.current]).toEqual([0, 200, ''])
  expect(meter.speed(2000)).toBe(100)
})

test('the speed of a job is zero in the first second, and then that of the last samples', () => {
  const meter = new JobMeter()
  meter.copied(1000, 0)
  expect(meter.speed(500)).toBe(0)
  for (let second = 1; second <= 20; second += 1)
    meter.copied(second <= 10 ? 5000 : 10, second * 1000)
  expect(meter.speed(20_000)).toBe(10)
})
