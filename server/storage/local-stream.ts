/** An open file as a stream that asks the disk only when somebody reads. */
import { read as readFile } from 'node:fs'
import { promisify } from 'node:util'
import type { Handle } from './handle.ts'
import type { ByteRange, ByteStream, Node } from './storage.ts'

const CHUNK_BYTES = 256 * 1024
const readAt = promisify(readFile)

/**
 * The bytes of `file`, or the span of them. The stream owns the handle: end, failure and cancel
 * close it. A file that became shorter meanwhile fails the stream, so that nobody mistakes the rest
 * for the whole.
 */
export function streamOf(file: Handle, node: Node, range: ByteRange | undefined): ByteStream {
  let position = range?.first ?? 0
  const end = range ? range.last + 1 : node.sizeBytes
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (position >= end) {
            file.close()
            controller.close()
            return
          }
          const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position))
          const { bytesRead } = await readAt(file.fd, buffer, 0, buffer.length, position)
          if (bytesRead === 0) throw new Error('The file became shorter while it was read.')
          position += bytesRead
          controller.enqueue(buffer.subarray(0, bytesRead))
        } catch (error) {
          file.close()
          controller.error(error)
        }
      },
      cancel: () => file.close(),
    },
    // Nothing is read before somebody asks.
    { highWaterMark: 0 },
  )
}

/** A range as far as the file goes. */
export function cut(range: ByteRange | undefined, sizeBytes: number): ByteRange | undefined {
  return range && { first: range.first, last: Math.min(range.last, sizeBytes - 1) }
}
