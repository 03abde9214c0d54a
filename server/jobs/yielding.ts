/** Iterates over a long array and gives the event loop a turn in between. */

/** Values between two turns. To await a promise that is already resolved gives the event loop no turn. */
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
