/** Growing arrays of numbers and texts that keep little spare capacity. */

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
type Kind<A extends Numbers> = new (length: number) => A

/** Growth factor of a full array. */
const GROWTH = 1.25
/** The length of the smallest array that has elements. */
const LENGTH_MIN = 256

/** A growing array of numbers. */
export class Column<A extends Numbers> {
  readonly #kind: Kind<A>
  array: A
  length = 0

  constructor(kind: Kind<A>, filled?: A) {
    this.#kind = kind
    this.array = filled ?? new kind(0)
    this.length = this.array.length
  }

  get(index: number): number {
    return this.array[index] ?? 0
  }

  set(index: number, value: number): void {
    this.array[index] = value
  }

  push(value: number): void {
    if (this.length === this.array.length) this.#grow(this.length + 1)
    this.array[this.length] = value
    this.length += 1
  }

  /** The used part, sharing memory. */
  used(): A {
    return this.array.subarray(0, this.length) as A
  }

  /**
   * Appends `count` elements, which are not set.
   *
   * @returns the index of the first
   */
  extend(count: number): number {
    const first = this.length
    if (first + count > this.array.length) this.#grow(first + count)
    this.length += count
    return first
  }

  /** Truncates the column. */
  truncate(length: number): void {
    this.length = length
  }

  #grow(lengthMin: number): void {
    const larger = new this.#kind(
      Math.max(LENGTH_MIN, lengthMin, Math.ceil(this.array.length * GROWTH)),
    )
    larger.set(this.array)
    this.array = larger
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Texts in one byte array, each ended by a NUL, so that one scan searches all of them. */
export class TextColumn {
  readonly bytes: Column<Uint8Array<ArrayBuffer>>
  /** The start offset of each text. */
  readonly starts: Column<Uint32Array<ArrayBuffer>>

  constructor(bytes?: Uint8Array<ArrayBuffer>, starts?: Uint32Array<ArrayBuffer>) {
    this.bytes = new Column(Uint8Array, bytes)
    this.starts = new Column(Uint32Array, starts)
  }

  push(text: string): void {
    // A UTF-16 unit has at most three bytes in UTF-8.
    const first = this.bytes.extend(text.length * 3 + 1)
    const { written } = encoder.encodeInto(text, this.bytes.array.subarray(first))
    this.bytes.set(first + written, 0)
    this.bytes.truncate(first + written + 1)
    this.starts.push(first)
  }

  /** The offset of the NUL that ends a text. */
  endOf(index: number): number {
    return (index + 1 < this.starts.length ? this.starts.get(index + 1) : this.bytes.length) - 1
  }

  /** The bytes of a text, sharing memory. */
  bytesOf(index: number): Uint8Array {
    return this.bytes.array.subarray(this.starts.get(index), this.endOf(index))
  }

  textOf(index: number): string {
    return decoder.decode(this.bytesOf(index))
  }

  /** Removes the texts for whose index `isKept` returns false. */
  retain(isKept: (index: number) => boolean): void {
    let [count, end] = [0, 0]
    for (let index = 0; index < this.starts.length; index += 1) {
      if (!isKept(index)) continue
      const [first, after] = [this.starts.get(index), this.endOf(index) + 1]
      this.bytes.array.copyWithin(end, first, after)
      this.starts.set(count, end)
      end += after - first
      count += 1
    }
    this.starts.truncate(count)
    this.bytes.truncate(end)
  }

  /**
   * @param from an index at or before the result, where the scan starts
   * @returns the index of the text that contains the byte at an offset
   */
  indexAt(byteOffset: number, from: number): number {
    const { starts } = this
    let [low, step] = [from, 1]
    while (low + step < starts.length && starts.get(low + step) <= byteOffset) {
      low += step
      step *= 2
    }
    let high = Math.min(starts.length, low + step)
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts.get(middle) <= byteOffset) low = middle
      else high = middle
    }
    return low
  }
}
