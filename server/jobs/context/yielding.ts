/** Iterates over a long array and gives the event loop a turn in between. */

/** The event loop gets a turn after so many values. An `await` of a resolved promise gives it none. */
const YIELD_EVERY = 16

export async function* yielding<T>(
  values: readonly T[],
  yieldEvery = YIELD_EVERY,
): AsyncGenerator<T, void> {
  for (const [index, value] of values.entries()) {
    if (index % yieldEvery === 0) await new Promise(setImmediate)
    yield value
  }
}
