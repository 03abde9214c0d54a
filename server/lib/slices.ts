/** Runs long work in slices, so that the event loop can handle other events. */

const SLICE_MS = 2
/** The clock is read once in this number of steps, because reading it takes longer than a short step. */
const STEPS_PER_CHECK = 32

/** Runs an iterator to its end. Other events wait for at most one slice, if the steps are short. */
export async function runInSlices<T>(work: Iterator<unknown, T>): Promise<T> {
  let untilMs = performance.now() + SLICE_MS
  for (let steps = 1; ; steps += 1) {
    const step = work.next()
    if (step.done) return step.value
    if (steps % STEPS_PER_CHECK > 0 || performance.now() < untilMs) continue
    await new Promise(setImmediate)
    untilMs = performance.now() + SLICE_MS
  }
}

/**
 * @returns a function that a long loop awaits in each step. When the loop has run for a slice, other events are handled
 *   first; an `await` of a resolved promise alone gives them no turn.
 */
export function pacer(sliceMs = SLICE_MS): () => Promise<void> | undefined {
  let untilMs = performance.now() + sliceMs
  return () => {
    if (performance.now() < untilMs) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        untilMs = performance.now() + sliceMs
        resolve()
      }),
    )
  }
}

/** Collects all values of `work` in slices. */
export async function collectInSlices<T>(work: Iterable<T>): Promise<T[]> {
  const values: T[] = []
  await runInSlices(gather(work, values))
  return values
}

function* gather<T>(work: Iterable<T>, values: T[]): Generator<void, void> {
  for (const value of work) {
    values.push(value)
    yield
  }
}
