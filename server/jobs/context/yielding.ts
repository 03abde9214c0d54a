/** Iterates over a long array, and lets other events be handled in between. */
import { pacer } from '#server/lib/slices.ts'

export async function* yielding<T>(values: readonly T[]): AsyncGenerator<T, void> {
  const pace = pacer()
  for (const value of values) {
    await pace()
    yield value
  }
}
