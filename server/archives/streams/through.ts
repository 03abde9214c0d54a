/** Pipes bytes through a transform of the runtime, which uses its own threads. */
import { pipeline, type Transform } from 'node:stream'
import { type Bytes, damagedArchive } from '../member.ts'

/** @throws Fault unprocessable if the transform fails; errors of the source */
export async function* pipeThrough(
  bytes: Bytes,
  transform: Transform,
): AsyncGenerator<Uint8Array, void> {
  let failure: unknown
  async function* source() {
    try {
      yield* bytes
    } catch (error) {
      failure = error
      throw error
    }
  }
  try {
    // The reader of the transform gets the errors, so the callback ignores them.
    yield* pipeline(source(), transform, () => undefined)
  } catch {
    throw failure ?? damagedArchive()
  }
}
