import { expect, test } from 'bun:test'
import { AcceptPace } from '#server/http/request/accept-pace.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'

test('as many requests as one turn of the event loop may have start in each of the next turns @limit-33', async () => {
  const pace = new AcceptPace()
  const begin = () =>
    Array.from({ length: SERVER_LIMITS.requestsPerTurn }, () => pace.waitForTurn())
  begin()
  const [second, third] = [begin(), begin()]
  let thirdHasStarted = false
  void third[0]?.then(() => {
    thirdHasStarted = true
  })
  await Promise.all(second)
  for (let at = 0; at < 10; at += 1) await Promise.resolve()
  expect(thirdHasStarted).toBe(false)
  // The turn is full, although its requests have only waited before.
  expect(pace.waitForTurn()).toBeInstanceOf(Promise)
  await Promise.all(third)
  expect(thirdHasStarted).toBe(true)
})

test('a request beyond the limit of one turn of the event loop starts in the next, in which more may start', async () => {
  const pace = new AcceptPace()
  const begin = () =>
    Array.from({ length: SERVER_LIMITS.requestsPerTurn }, () => pace.waitForTurn())
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
  expect(begin().slice(0, -1)).not.toContainEqual(expect.any(Promise))
})
