/** Makes a stream from a generator. The generator runs only as fast as the stream is read. */
import type { ByteStream } from '#server/storage/node.ts'

export function streamOf(bytes: AsyncGenerator<Uint8Array, void>): ByteStream {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(error)
        }
      },
      async cancel() {
        await bytes.return()
      },
    },
    { highWaterMark: 0 },
  )
}
