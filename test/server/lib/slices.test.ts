import { expect, test } from 'bun:test'
import { collectInSlices, pacer, runInSlices } from '#server/lib/slices.ts'

function* endless(state: { others: number; steps: number }): Generator<number> {
  // Ends when other events have run: work that is not divided into slices never ends.
  while (state.others < 3) {
    state.steps += 1
    yield state.steps
  }
}

test('other events are handled during long work', async () => {
  const state = { others: 0, steps: 0 }
  const other = setInterval(() => {
    state.others += 1
  }, 0)
  const made = await collectInSlices(endless(state))
  clearInterval(other)
  expect(made).toHaveLength(state.steps)
})

test('work in slices returns its result, and throws its error', async () => {
  function* work(): Generator<unknown, string> {
    yield
    return 'all of it'
  }
  expect(await runInSlices(work())).toBe('all of it')
  // biome-ignore lint/correctness/useYield: it fails before it yields
  function* failing(): Generator<unknown, string> {
    throw new Error('not today')
  }
  await expect(runInSlices(failing())).rejects.toThrow('not today')
})

test('a loop that keeps the pace lets other events be handled', async () => {
  let others = 0
  const other = setInterval(() => {
    others += 1
  }, 0)
  const pace = pacer(1)
  // It ends when other events have run.
  while (others < 3) await pace()
  clearInterval(other)
  expect(others).toBeGreaterThanOrEqual(3)
})
