/** Reads bits of a stream, the highest of each byte first. */
import type { Bytes } from '../member.ts'

/** The stream ends early or is invalid. */
export class DamagedStreamError extends Error {}

export class BitReader {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()
  /** The index of the next byte in `#chunk`. */
  #position = 0
  /** Bits of earlier bytes that were not read yet, and their number. */
  #bits = 0
  #count = 0

  constructor(bytes: Bytes) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  /** Whether so many bits can be read without waiting. */
  has(count: number): boolean {
    return this.#count + (this.#chunk.length - this.#position) * 8 >= count
  }

  /** Reads at most 24 bits, which must be available. */
  take(count: number): number {
    while (this.#count < count) {
      this.#bits = ((this.#bits << 8) | (this.#chunk[this.#position] ?? 0)) >>> 0
      this.#position += 1
      this.#count += 8
    }
    this.#count -= count
    const value = (this.#bits >>> this.#count) & ((1 << count) - 1)
    this.#bits &= (1 << this.#count) - 1
    return value
  }

  /** @throws Error at the end of the stream */
  async read(count: number): Promise<number> {
    while (!this.has(count)) if (!(await this.#more())) throw new DamagedStreamError()
    return this.take(count)
  }

  /** Skips to the next byte. */
  align(): void {
    this.take(this.#count % 8)
  }

  /** Whether the stream has more bytes; called at a byte boundary. */
  async hasMore(): Promise<boolean> {
    return this.has(8) || (await this.#more())
  }

  /** Closes the source. */
  async end(): Promise<void> {
    await this.#source.return?.()
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#source.next()
      if (done) return false
      if (value.length === 0) continue
      const rest = this.#chunk.subarray(this.#position)
      this.#chunk = rest.length === 0 ? value : Buffer.concat([rest, value])
      this.#position = 0
      return true
    }
  }
}
