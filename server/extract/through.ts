/** Bytes through a transform of the runtime, which works in a thread of its own. */
import { pipeline, type Transform } from 'node:stream'
import { type Bytes, damaged } from './member.ts'

/** @throws Fault unprocessable for what the transform cannot read; what the source throws */
export async function* through(
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
    // A failure reaches whoever reads the transform; there is nobody else to tell.
    yield* pipeline(source(), transform, () => undefined)
  } catch {
    throw failure ?? damaged()
  }
}
