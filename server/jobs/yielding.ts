/** Many things, one after the other, between which the event loop answers others. */

/** What the storage says at once is awaited, and gives nobody else a turn. */
const AT_ONCE = 16

export async function* yielding<T>(
  things: readonly T[],
  atOnce = AT_ONCE,
): AsyncGenerator<T, void> {
  for (const [at, thing] of things.entries()) {
    if (at % atOnce === 0) await new Promise(setImmediate)
    yield thing
  }
}
