/** Reads a stream in pieces of given sizes. At most one chunk and one piece are in memory. */
import { type Bytes, damagedArchive } from '../member.ts'

/** An iterator that may skip bytes. */
export interface SkippingIterator extends AsyncIterator<Uint8Array> {
  /**
   * Skips bytes that were not returned yet.
   *
   * @returns how many it skipped: all, or none
   * @throws Fault unprocessable if there are fewer
   */
  skip?(count: number): Promise<number>
}

export class ByteReader {
  readonly #source: SkippingIterator
  /** Bytes that were read from the source and not returned yet. */
  #chunk: Uint8Array = new Uint8Array()

  constructor(bytes: Bytes) {
    this.#source = bytes[Symbol.asyncIterator]()
  }

  /** Reads up to `maxBytes` bytes; undefined at the end. */
  async readUpTo(maxBytes: number): Promise<Uint8Array | undefined> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#source.next()
      if (done) return undefined
      this.#chunk = value
    }
    const part = this.#chunk.subarray(0, maxBytes)
    this.#chunk = this.#chunk.subarray(part.length)
    return part
  }

  /**
   * Reads exactly `count` bytes; undefined at the end.
   *
   * @throws Fault unprocessable if the stream ends in between
   */
  async readExactly(count: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(count)
    let filled = 0
    while (filled < count) {
      const part = await this.readUpTo(count - filled)
      if (!part && filled === 0) return undefined
      if (!part) throw damagedArchive()
      bytes.set(part, filled)
      filled += part.length
    }
    return bytes
  }

  /** @throws Fault unprocessable at the end */
  async readRequired(count: number): Promise<Uint8Array> {
    const bytes = await this.readExactly(count)
    if (bytes) return bytes
    throw damagedArchive()
  }

  /**
   * Yields `count` bytes in parts.
   *
   * @throws Fault unprocessable if the stream ends in between
   */
  async *parts(count: number): AsyncGenerator<Uint8Array, void> {
    for (let remaining = count; remaining > 0; ) {
      const part = await this.readUpTo(remaining)
      if (!part) throw damagedArchive()
      remaining -= part.length
      yield part
    }
  }

  /**
   * Skips `count` bytes, without reading them if the source can.
   *
   * @throws Fault unprocessable if the stream ends in between
   */
  async skip(count: number): Promise<void> {
    const buffered = Math.min(count, this.#chunk.length)
    this.#chunk = this.#chunk.subarray(buffered)
    const skipped = (await this.#source.skip?.(count - buffered)) ?? 0
    for await (const _ of this.parts(count - buffered - skipped));
  }

  /** Closes the source. */
  async end(): Promise<void> {
    await this.#source.return?.()
  }
}
