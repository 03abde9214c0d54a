import { expect, test } from 'bun:test'
import { Limiter } from '#server/limits/limiter.ts'
import { isFault } from '#wire/fault.ts'

const LIMIT = {
  what: 'things',
  perKey: 2,
  all: 3,
  waiting: 4,
  message: 'Too many.',
  retryAfterSec: 2,
}

/** Acquires permits by name; `began` lists the names in the order in which they got permits or were refused. */
function watched(limiter: Limiter) {
  const began: string[] = []
  const held = new Map<string, Disposable>()
  const take = async (key: string, name: string) => {
    try {
      held.set(name, await limiter.wait(key))
      began.push(name)
    } catch (error) {
      if (isFault(error)) began.push(`${name} ${error.code}`)
    }
  }
  const end = async (name: string) => {
    held.get(name)?.[Symbol.dispose]()
    await settled()
  }
  return { began, take, end }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the permits of each key and of all keys are limited, and a key below its limit goes before a key at its limit', async () => {
  const { began, take, end } = watched(new Limiter(LIMIT))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void take(name[0] ?? '', name)
  await settled()
  expect(began).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('a1')
  await end('c1')
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  await end('a2')
  expect(began.at(-1)).toBe('a4')
})

test('a permit that is released early makes room for another key, still counts for its own key, and only a limited number is released early @limit-12', async () => {
  const limiter = new Limiter({ ...LIMIT, perKey: 1, all: 1, overcommit: 1 })
  const { began, take } = watched(limiter)
  const first = await limiter.wait('a')
  for (const name of ['a1', 'b1', 'c1']) void take(name[0] ?? '', name)
  await settled()
  expect(began).toEqual([])
  expect([first.releaseEarly(), first.releaseEarly()]).toEqual([true, true])
  await settled()
  expect(began).toEqual(['b1'])
  const last = await new Limiter(LIMIT).wait('a')
  expect(last.releaseEarly()).toBe(false)
  first[Symbol.dispose]()
  await settled()
  expect(began).toEqual(['b1'])
})

test('at most half of the waiting requests belong to one key, and their number is limited', async () => {
  const { began, take, end } = watched(new Limiter(LIMIT))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void take('a', name)
  await settled()
  expect(began).toEqual(['a1', 'a2', 'a5 tooMany'])
  for (const name of ['b1', 'b2', 'c1', 'd1']) void take(name[0] ?? '', name)
  await settled()
  expect(began).toEqual(['a1', 'a2', 'a5 tooMany', 'b1', 'd1 unavailable'])
  await end('b1')
  expect(began.at(-1)).toBe('b2')
})

test('a waiter that leaves gets no permit, and costs the others none', async () => {
  const limiter = new Limiter({ ...LIMIT, perKey: 1, all: 1 })
  const first = await limiter.wait('a')
  const leaving = new AbortController()
  const left = limiter.wait('b', leaving.signal)
  const { began, take } = watched(limiter)
  void take('c', 'c1')
  leaving.abort()
  expect(await left).toBeUndefined()
  expect(await limiter.wait('d', leaving.signal)).toBeUndefined()
  first[Symbol.dispose]()
  await settled()
  expect(began).toEqual(['c1'])
})

test('a permit that is disposed of twice counts once', async () => {
  const limiter = new Limiter({ ...LIMIT, perKey: 3, all: 1 })
  const first = await limiter.wait('a')
  first[Symbol.dispose]()
  const second = await limiter.wait('a')
  first[Symbol.dispose]()
  const third = limiter.wait('a')
  const isFree = await Promise.race([third.then(() => true), settled().then(() => false)])
  expect(isFree).toBe(false)
  second[Symbol.dispose]()
  await third
})
