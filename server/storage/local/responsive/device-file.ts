/** A file on a file system that only its own threads read. */

import type { ByteRange, ByteStream, Node, Opened } from '#server/storage/node.ts'
import type { DeviceThreads } from '../devices/device-threads.ts'

const CHUNK_BYTES = 1024 * 1024

export class DeviceFile implements Opened {
  readonly node: Node
  readonly range: ByteRange | undefined
  /** To open such a path could wait for the file system. */
  readonly disk = undefined
  readonly #threads: DeviceThreads
  readonly #device: string
  readonly #fd: number
  #bytes: ByteStream | undefined
  #isOpen = true
  /** A part that is being read keeps the descriptor open. */
  #reading = 0

  /** @param fd closed by this object */
  constructor(
    threads: DeviceThreads,
    device: string,
    { fd, node }: { fd: number; node: Node },
    range: ByteRange | undefined,
  ) {
    this.#threads = threads
    this.#device = device
    this.#fd = fd
    this.node = node
    this.range = range
  }

  get bytes(): ByteStream {
    const range = this.range ?? { first: 0, last: this.node.sizeBytes - 1 }
    this.#bytes ??= this.#stream(range, () => this.close())
    return this.#bytes
  }

  part(range: ByteRange): ByteStream {
    return this.#stream(range, () => undefined)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#reading === 0) this.#threads.closeFile(this.#device, this.#fd)
  }

  /** As `streamOf` in handles/open-file.ts. */
  #stream({ first, last }: ByteRange, onEnd: () => void): ByteStream {
    let position = first
    const end = last + 1
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            if (position >= end) {
              onEnd()
              controller.close()
              return
            }
            const chunk = await this.#read(position, Math.min(CHUNK_BYTES, end - position))
            if (chunk.length === 0) throw new Error('The file became shorter while it was read.')
            position += chunk.length
            controller.enqueue(chunk)
          } catch (error) {
            onEnd()
            controller.error(error)
          }
        },
        cancel: onEnd,
      },
      { highWaterMark: 0 },
    )
  }

  async #read(position: number, length: number): Promise<Uint8Array> {
    if (!this.#isOpen) throw new Error('The file is closed.')
    this.#reading += 1
    try {
      return (await this.#threads.run(this.#device, 'bytes', this.#fd, position, length)).get()
    } finally {
      this.#reading -= 1
      if (!this.#isOpen && this.#reading === 0) this.#threads.closeFile(this.#device, this.#fd)
    }
  }
}
