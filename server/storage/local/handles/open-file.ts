/** An open file, and its bytes as a stream that reads on demand. */
import { read as readFile } from 'node:fs'
import { promisify } from 'node:util'
import { cachedBytes } from '#server/os/cached-bytes.ts'
import type { ByteRange, ByteStream, Node, Opened } from '#server/storage/node.ts'
import type { Handle } from './handle.ts'

const CHUNK_BYTES = 256 * 1024
const readAt = promisify(readFile)

/** An open file, of which all bytes or a range are read: as a stream, or at once if they are in the page cache. */
export class OpenFile implements Opened {
  readonly node: Node
  readonly range: ByteRange | undefined
  readonly #file: Handle
  #bytes: ByteStream | undefined

  /** @param file closed by this object */
  constructor(file: Handle, node: Node, range: ByteRange | undefined) {
    this.#file = file
    this.node = node
    this.range = range
  }

  get bytes(): ByteStream {
    const range = this.range ?? { first: 0, last: this.node.sizeBytes - 1 }
    this.#bytes ??= streamOf(this.#file, range, () => this.#file.close())
    return this.#bytes
  }

  part(range: ByteRange): ByteStream {
    return streamOf(this.#file, range, () => undefined)
  }

  get disk(): string | undefined {
    const { disk } = this.#file
    return typeof disk === 'string' ? disk : undefined
  }

  cached(): Uint8Array<ArrayBuffer> | undefined {
    const { first, last } = this.range ?? { first: 0, last: this.node.sizeBytes - 1 }
    return cachedBytes(this.#file.fd, first, last + 1 - first)
  }

  close(): void {
    this.#file.close()
  }

  /** @returns the descriptor, which the caller closes; this object is not used any more */
  detach(): number {
    return this.#file.detach()
  }
}

/**
 * Streams a range of a file. If the file became shorter since it was opened, the stream fails, so that the client
 * notices a truncated response.
 *
 * @param onEnd called when the stream ends, fails or is cancelled
 */
function streamOf(file: Handle, { first, last }: ByteRange, onEnd: () => void): ByteStream {
  let position = first
  const end = last + 1
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (position >= end) {
            onEnd()
            controller.close()
            return
          }
          const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position))
          const { bytesRead } = await readAt(file.fd, buffer, 0, buffer.length, position)
          if (bytesRead === 0) throw new Error('The file became shorter while it was read.')
          position += bytesRead
          controller.enqueue(buffer.subarray(0, bytesRead))
        } catch (error) {
          onEnd()
          controller.error(error)
        }
      },
      cancel: onEnd,
    },
    // Nothing is read before the consumer asks for it.
    { highWaterMark: 0 },
  )
}

/** Clamps a range to the size of the file. */
export function clampRange(range: ByteRange | undefined, sizeBytes: number): ByteRange | undefined {
  return range && { first: range.first, last: Math.min(range.last, sizeBytes - 1) }
}
