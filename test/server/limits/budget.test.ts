import { expect, test } from 'bun:test'
import { Budget } from '#server/limits/budget.ts'

/** Starts tasks, each of which runs until `end` is called with its name. */
function work(budget: Budget) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, part: number) =>
    budget.run(part, () => {
      begun.push(name)
      return new Promise<void>((end) => ends.set(name, end))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begun, start, end }
}

test('work begins in order of arrival, when the budget has as much left as it needs', async () => {
  const { begun, start, end } = work(new Budget(10))
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

test('work that needs more than the whole budget runs alone, and failed work returns its part', async () => {
  const budget = new Budget(10)
  const { begun, start, end } = work(budget)
  const all = [start('huge', 1000), start('small', 1)]
  await new Promise(setImmediate)
  expect(begun).toEqual(['huge'])
  await end('huge')
  expect(begun).toEqual(['huge', 'small'])
  await end('small')
  await Promise.all(all)
  await expect(budget.run(10, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await budget.run(10, async () => 'done')).toBe('done')
})
