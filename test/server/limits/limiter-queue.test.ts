import { expect, test } from 'bun:test'
import { Limiter } from '#server/limits/limiter.ts'

const QUEUE = { what: 'work', all: 2, waiting: 2, message: 'Too much work.', retryAfterSec: 3 }

test('a limited amount of work runs at a time in order of arrival, and work is refused if too much waits @limit-20', async () => {
  const limiter = new Limiter(QUEUE)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (number: number) =>
    limiter.run(() => {
      begun.push(number)
      return new Promise<number>((resolve) => ends.push(() => resolve(number)))
    })
  const results = [work(1), work(2), work(3), work(4)]
  await expect(work(5)).rejects.toMatchObject({ code: 'unavailable', retryAfterSec: 3 })
  expect(begun).toEqual([1, 2])
  ends.shift()?.()
  await results[0]
  // A new caller does not overtake waiting callers.
  results.push(work(6))
  await Promise.resolve()
  expect(begun).toEqual([1, 2, 3])
  while (begun.length < 5) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  for (const end of ends) end()
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 6])
  expect(begun).toEqual([1, 2, 3, 4, 6])
})

test('failed work makes room for the next', async () => {
  const limiter = new Limiter({ ...QUEUE, all: 1, waiting: 0 })
  await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await limiter.run(() => Promise.resolve('done'))).toBe('done')
})
