import { expect, test } from 'bun:test'
import { AcceptPace } from '#server/http/accept-pace.ts'
import { LIMITS } from '#wire/limits.ts'

test('requests beyond the limit of one turn of the event loop start in the next, which has the same limit', async () => {
  const pace = new AcceptPace()
  const begin = () => Array.from({ length: LIMITS.requestsPerTurn }, () => pace.waitForTurn())
  expect(begin()).not.toContainEqual(expect.any(Promise))
  const waiting = pace.waitForTurn()
  let began = false
  void waiting?.then(() => {
    began = true
  })
  // Microtasks run in the same turn.
  for (let at = 0; at < 10; at += 1) await Promise.resolve()
  expect(began).toBe(false)
  await waiting
  expect(began).toBe(true)
  expect(begin()).not.toContainEqual(expect.any(Promise))
})
