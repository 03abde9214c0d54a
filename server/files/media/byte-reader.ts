/** Reads small parts of a film or sound at any offset, for its metadata, with a limited number of reads. */

/** Reads from `first` to `last`, both included, at most to the end of the file. */
export type ReadRange = (first: number, last: number) => Promise<Uint8Array>

/** Bytes of one read. Requests inside the range that was read last need no further read. */
const WINDOW_BYTES = 64 * 1024
/** Files of usual programs need a few reads. The length and the dimensions of a film that needs more stay unknown. */
const READS_MAX = 24

export class FileByteReader {
  readonly sizeBytes: number
  readonly #read: ReadRange
  #reads = 0
  /** Where `#window` begins in the file. */
  #start = 0
  /** The bytes that were read last. */
  #window: Uint8Array = new Uint8Array()

  constructor(sizeBytes: number, read: ReadRange) {
    this.sizeBytes = sizeBytes
    this.#read = read
  }

  /**
   * Reads `length` bytes from `start` on.
   *
   * @param length at most `WINDOW_BYTES`
   * @returns undefined if the file has no such bytes, if they are too many, or if the limit of reads is reached
   */
  async at(start: number, length: number): Promise<DataView | undefined> {
    const isInFile = start >= 0 && length > 0 && start + length <= this.sizeBytes
    if (!isInFile || length > WINDOW_BYTES) return undefined
    const isInWindow = start >= this.#start && start + length <= this.#start + this.#window.length
    if (!isInWindow) {
      if (this.#reads >= READS_MAX) return undefined
      this.#reads += 1
      this.#window = await this.#read(start, Math.min(start + WINDOW_BYTES, this.sizeBytes) - 1)
      this.#start = start
    }
    const from = this.#window.byteOffset + start - this.#start
    if (start - this.#start + length > this.#window.length) return undefined
    return new DataView(this.#window.buffer, from, length)
  }

  /** Reads up to `WINDOW_BYTES` from `start` on. */
  async from(start: number): Promise<DataView | undefined> {
    return this.at(start, Math.min(WINDOW_BYTES, this.sizeBytes - start))
  }
}

/** @returns the four characters that name a part of a file format; empty if the data ends before */
export function fourLetters(view: DataView, offset: number): string {
  if (offset + 4 > view.byteLength) return ''
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, 4))
}
