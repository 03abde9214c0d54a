import { expect, test } from 'bun:test'
import { Limiter } from '#server/limits/limiter.ts'

const MEMORY = { what: 'bytes', all: 10, waiting: 9, message: 'Too much.', retryAfterSec: 1 }

/** Starts tasks, each of which runs until `end` is called with its name. */
function work(memory: Limiter) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, part: number) =>
    memory.run(() => {
      begun.push(name)
      return new Promise<void>((end) => ends.set(name, end))
    }, part)
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begun, start, end }
}

test('work begins in order of arrival, when there is as much left as it needs', async () => {
  const { begun, start, end } = work(new Limiter(MEMORY))
  const all = [start('a', 6), start('b', 4), start('c', 5), start('d', 1)]
  await new Promise(setImmediate)
  expect(begun).toEqual(['a', 'b'])
  // Room for the last, but not for the one before it.
  await end('b')
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  for (const name of ['c', 'd']) await end(name)
  await Promise.all(all)
})

test('a small task does not pass a large one that waits', async () => {
  const { begun, start, end } = work(new Limiter(MEMORY))
  const all = [start('a', 6), start('large', 9)]
  await new Promise(setImmediate)
  all.push(start('small', 1))
  await new Promise(setImmediate)
  expect(begun).toEqual(['a'])
  await end('a')
  expect(begun).toEqual(['a', 'large', 'small'])
  for (const name of ['large', 'small']) await end(name)
  await Promise.all(all)
})

test('work that needs more than the whole limit runs alone, and failed work returns its part', async () => {
  const memory = new Limiter(MEMORY)
  const { begun, start, end } = work(memory)
  const all = [start('huge', 1000), start('small', 1)]
  await new Promise(setImmediate)
  expect(begun).toEqual(['huge'])
  await end('huge')
  expect(begun).toEqual(['huge', 'small'])
  await end('small')
  await Promise.all(all)
  await expect(memory.run(() => Promise.reject(new Error('broken')), 10)).rejects.toThrow('broken')
  expect(await memory.run(async () => 'done', 10)).toBe('done')
})
