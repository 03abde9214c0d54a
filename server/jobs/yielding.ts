/** Iterates over a long array and gives the event loop a turn in between. */

/** Awaiting a result that is already there does not give the event loop a turn. */
const AT_ONCE = 16

export async function* yielding<T>(
  values: readonly T[],
  atOnce = AT_ONCE,
): AsyncGenerator<T, void> {
  for (const [at, value] of values.entries()) {
    if (at % atOnce === 0) await new Promise(setImmediate)
    yield value
  }
}
