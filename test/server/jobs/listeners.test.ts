/** Who is told that jobs have changed: listeners here, and other servers only of changes that were made here. */
import { expect, test } from 'bun:test'
import { JobListeners } from '#server/jobs/listeners.ts'

test('other servers are told of changes by this one, and not of their own', async () => {
  let told = 0
  const outside: number[] = []
  const listeners = new JobListeners(
    async () => outside.splice(0),
    () => {
      told += 1
    },
  )
  listeners.notify(1)
  expect(told).toBe(1)
  const heard = Promise.withResolvers<void>()
  using _ = listeners.add(7, heard.resolve)
  outside.push(7)
  listeners.look()
  await heard.promise
  expect(told).toBe(1)
})
