/** Long work in slices, between which the event loop answers others. */

const SLICE_MS = 4
/** Looking at the clock costs, too. */
const STEPS_PER_CHECK = 32

/**
 * Does all of a work. Whoever waits for the event loop waits for one slice at most, as long as one step of
 * the work is short.
 */
export async function runToEnd<T>(work: Iterator<unknown, T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  for (let steps = 1; ; steps += 1) {
    const step = work.next()
    if (step.done) return step.value
    if (steps % STEPS_PER_CHECK > 0 || performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + SLICE_MS
  }
}

/** All that `work` makes, made in slices. */
export async function inSlices<T>(work: Iterable<T>): Promise<T[]> {
  const made: T[] = []
  await runToEnd(gather(work, made))
  return made
}

function* gather<T>(work: Iterable<T>, made: T[]): Generator<void, void> {
  for (const one of work) {
    made.push(one)
    yield
  }
}
