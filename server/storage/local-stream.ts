/** An open file, and its bytes as a stream that asks the disk only when somebody reads. */
import { read as readFile } from 'node:fs'
import { promisify } from 'node:util'
import { cachedBytes } from './cached-bytes.ts'
import type { Handle } from './handle.ts'
import type { ByteRange, ByteStream, Node, Opened } from './node.ts'

const CHUNK_BYTES = 256 * 1024
const readAt = promisify(readFile)

/** A file that is read whole or in part. Small ones are read at once, and never become a stream. */
export class OpenFile implements Opened {
  readonly node: Node
  readonly range: ByteRange | undefined
  readonly #file: Handle
  #bytes: ByteStream | undefined

  /** @param file its own to close from now on */
  constructor(file: Handle, node: Node, range: ByteRange | undefined) {
    this.#file = file
    this.node = node
    this.range = range
  }

  get bytes(): ByteStream {
    this.#bytes ??= streamOf(this.#file, this.node, this.range)
    return this.#bytes
  }

  get disk(): string {
    return this.#file.disk
  }

  cached(): Uint8Array<ArrayBuffer> | undefined {
    return cachedBytes(this.#file.fd, this.range ?? { first: 0, last: this.node.sizeBytes - 1 })
  }

  close(): void {
    this.#file.close()
  }
}

/**
 * The bytes of `file`, or the span of them. The stream owns the handle: end, failure and cancel
 * close it. A file that became shorter meanwhile fails the stream, so that nobody mistakes the rest
 * for the whole.
 */
function streamOf(file: Handle, node: Node, range: ByteRange | undefined): ByteStream {
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
