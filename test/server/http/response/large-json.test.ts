import { expect, test } from 'bun:test'
import { inTasks } from '#server/http/response/large-json.ts'

test('the event loop runs before each chunk of a large response', async () => {
  let tasks = 0
  let isReading = true
  const count = () => {
    tasks += 1
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const seen: number[] = []
  for await (const _ of inTasks([new Uint8Array(1), undefined, new Uint8Array(1)])) seen.push(tasks)
  isReading = false
  expect(seen).toHaveLength(2)
  expect(seen[0]).toBeGreaterThan(0)
  expect(seen[1]).toBeGreaterThan(seen[0] ?? 0)
})
