/** Reads a stream by so many bytes at a time. No more is kept than one chunk, and what is asked for at once. */
import { type Bytes, damaged } from './member.ts'

export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()

  constructor(bytes: Bytes) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  /** The next bytes, at most so many; undefined at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) return undefined
      this.#chunk = value
    }
    const part = this.#chunk.subarray(0, most)
    this.#chunk = this.#chunk.subarray(part.length)
    return part
  }

  /** Exactly so many bytes; undefined at the end. @throws Fault unprocessable for an end in between */
  async exactly(count: number): Promise<Uint8Array | undefined> {
    const whole = new Uint8Array(count)
    let filled = 0
    while (filled < count) {
      const part = await this.some(count - filled)
      if (!part && filled === 0) return undefined
      if (!part) throw damaged()
      whole.set(part, filled)
      filled += part.length
    }
    return whole
  }

  /** @throws Fault unprocessable at the end */
  async must(count: number): Promise<Uint8Array> {
    const bytes = await this.exactly(count)
    if (bytes) return bytes
    throw damaged()
  }

  /** So many bytes, part by part. @throws Fault unprocessable for an end in between */
  async *parts(count: number): AsyncGenerator<Uint8Array, void> {
    for (let left = count; left > 0; ) {
      const part = await this.some(left)
      if (!part) throw damaged()
      left -= part.length
      yield part
    }
  }

  async end(): Promise<void> {
    await this.#source.return?.()
  }
}
