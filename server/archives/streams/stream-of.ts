/** Makes a stream from a generator. The generator runs only as fast as the stream is read. */
import type { ByteStream } from '#server/storage/node.ts'

/**
 * @param close closes what was opened before the generator runs. It is called once, when the stream ends, fails or is
 *   cancelled, also before the first read: a generator that has not started does not run its `finally`.
 */
export function streamOf(
  bytes: AsyncIterable<Uint8Array>,
  close: () => Promise<void> = async () => undefined,
): ByteStream {
  const iterator = bytes[Symbol.asyncIterator]()
  let closing: Promise<void> | undefined
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next()
          if (!done) return controller.enqueue(value)
          await closeOnce()
          controller.close()
        } catch (error) {
          await closeOnce().catch(() => undefined)
          controller.error(error)
        }
      },
      async cancel() {
        try {
          await iterator.return?.()
        } finally {
          await closeOnce()
        }
      },
    },
    { highWaterMark: 0 },
  )
}
