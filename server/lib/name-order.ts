/**
 * The sort order of names: `file2` before `file10`, ignoring case and accents. It is the collation of ICU's root
 * locale with precomputed keys, because a collator is too slow for the millions of comparisons in a large listing.
 */

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const MARKS = /\p{M}+/gu
const SIMPLE = /^[\x20-\x7e]*$/
/** Letters that the collation treats as two. */
const PAIRS: Record<string, string> = { ß: 'ss', ẞ: 'ss', æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe' }
const PAIR = new RegExp(`[${Object.keys(PAIRS).join('')}]`, 'g')
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
/** Longer numbers count as numbers of this length, and are compared digit by digit. */
const DIGITS_MAX = 250

/** Sort keys of several names: each is a sequence of units that are compared one by one. */
export interface NameKeys {
  units: Uint16Array
  /** The start of each key, and the end of the last. */
  starts: Uint32Array
}

/**
 * Sorts names; those with equal keys by their text units.
 *
 * @param ahead as in `keysOf`
 * @returns the indexes of the names in order
 */
export function* sortNames(
  names: readonly string[],
  ahead: (index: number) => readonly number[],
): Generator<unknown, Uint32Array> {
  const keys = yield* keysOf(names, ahead)
  return yield* sortKeys(keys, (a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1))
}

/** @param ahead returns numbers from 0 to 2^53, which are compared before the name with that index */
export function* keysOf(
  names: readonly string[],
  ahead: (index: number) => readonly number[],
): Generator<unknown, NameKeys> {
  const bases: string[] = []
  let length = 0
  for (const name of names) {
    const base = baseOf(name)
    bases.push(base)
    // A number needs at most two more units than digits; a single digit needs three.
    length += 3 * base.length + NUMBER_UNITS * 2
    yield
  }
  const ranks = ranksOf(bases)
  const units = new Uint16Array(length)
  const starts = new Uint32Array(names.length + 1)
  let end = 0
  for (const [index, base] of bases.entries()) {
    for (const number of ahead(index)) end = putNumber(units, end, number)
    end = putName(units, end, base, ranks)
    starts[index + 1] = end
    yield
  }
  return { units, starts }
}

/** Keys that compare like strings, unit by unit. */
export function* simpleKeysOf(texts: readonly string[]): Generator<unknown, NameKeys> {
  const starts = new Uint32Array(texts.length + 1)
  for (const [index, text] of texts.entries())
    starts[index + 1] = (starts[index] ?? 0) + text.length
  const units = new Uint16Array(starts[texts.length] ?? 0)
  for (const [index, text] of texts.entries()) {
    const start = starts[index] ?? 0
    for (let position = 0; position < text.length; position += 1)
      units[start + position] = text.charCodeAt(position)
    yield
  }
  return { units, starts }
}

/** A number up to 2^53 in units of 16 bits. */
const NUMBER_UNITS = 4

function putNumber(units: Uint16Array, end: number, number: number): number {
  for (let position = NUMBER_UNITS - 1, rest = number; position >= 0; position -= 1) {
    units[end + position] = rest % 0x10000
    rest = Math.floor(rest / 0x10000)
  }
  return end + NUMBER_UNITS
}

function putName(units: Uint16Array, start: number, base: string, ranks: Ranks): number {
  let end = start
  for (let index = 0; index < base.length; ) {
    const code = base.charCodeAt(index)
    if (!isDigit(code)) {
      const rank = ranks.of(code)
      if (rank > 0) units[end++] = rank
      index += 1
      continue
    }
    let after = index
    while (isDigit(base.charCodeAt(after))) after += 1
    while (index < after - 1 && base.charCodeAt(index) === DIGIT_0) index += 1
    units[end++] = ranks.of(DIGIT_0)
    units[end++] = Math.min(after - index, DIGITS_MAX)
    for (; index < after; index += 1) units[end++] = base.charCodeAt(index)
  }
  return end
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9
}

/** @returns the name without what the order ignores */
function baseOf(name: string): string {
  if (SIMPLE.test(name)) return name
  const plain = name.normalize('NFKD').replace(MARKS, '')
  return plain.replace(PAIR, (letter) => PAIRS[letter] ?? letter)
}

/** The rank of each text unit among those that occur; 0 for an ignored one. */
class Ranks {
  /** The ranks of ASCII characters, by code. */
  readonly #simple: Uint16Array
  /** Code → rank of the other text units. */
  readonly #others: Map<number, number>

  constructor(codes: readonly number[]) {
    const sorted = codes.map((code) => String.fromCharCode(code)).sort(collator.compare)
    this.#simple = new Uint16Array(0x80)
    this.#others = new Map()
    let rank = 0
    let before = ''
    for (const text of sorted) {
      if (collator.compare(before, text) !== 0) rank += 1
      const code = text.charCodeAt(0)
      if (code < 0x80) this.#simple[code] = rank
      else this.#others.set(code, rank)
      before = text
    }
  }

  of(code: number): number {
    return (code < 0x80 ? this.#simple[code] : this.#others.get(code)) ?? 0
  }
}

const ASCII = Array.from({ length: 0x80 }, (_, code) => code)
const ASCII_RANKS = new Ranks(ASCII)

function ranksOf(bases: readonly string[]): Ranks {
  const others = new Set<number>()
  for (const base of bases) {
    if (SIMPLE.test(base)) continue
    for (let index = 0; index < base.length; index += 1) {
      const code = base.charCodeAt(index)
      if (code >= 0x80) others.add(code)
    }
  }
  return others.size === 0 ? ASCII_RANKS : new Ranks([...ASCII, ...others])
}

/**
 * Sorts keys by multikey quicksort (Bentley and Sedgewick, 1997), which does not compare common prefixes again.
 * Yields between ranges.
 *
 * @param compareEqual compares two names with equal keys
 * @returns the indexes of the keys in order
 */
export function* sortKeys(
  keys: NameKeys,
  compareEqual: (a: number, b: number) => number,
): Generator<unknown, Uint32Array> {
  const sorting = new Sorting(keys, compareEqual)
  while (sorting.step()) yield
  return sorting.order
}

/** Ranges up to this length are sorted by insertion. */
const SHORT = 12
/** Follows the last unit of a key, so that shorter keys come first. */
const ENDED = -1

class Sorting {
  readonly order: Uint32Array
  readonly #units: Uint16Array
  readonly #starts: Uint32Array
  readonly #compareEqual: (a: number, b: number) => number
  /** The unit of each key at the depth of its range. */
  readonly #currentUnits: Int32Array
  /** Ranges that are not sorted yet. Their keys are equal before `depth`. */
  readonly #pending: [first: number, end: number, depth: number][] = []

  constructor({ units, starts }: NameKeys, compareEqual: (a: number, b: number) => number) {
    this.order = new Uint32Array(starts.length - 1)
    for (let index = 0; index < this.order.length; index += 1) this.order[index] = index
    this.#units = units
    this.#starts = starts
    this.#compareEqual = compareEqual
    this.#currentUnits = new Int32Array(this.order.length)
    this.#descend(0, this.order.length, 0)
  }

  /** Splits the next range; false if none is left. */
  step(): boolean {
    const range = this.#pending.pop()
    if (!range) return false
    const [first, end, depth] = range
    if (end - first <= SHORT) this.#insert(first, end, depth)
    else this.#partition(first, end, depth)
    return true
  }

  /** Sorts a range of keys that are equal before `depth`. */
  #descend(first: number, end: number, depth: number): void {
    for (let index = first; index < end; index += 1) {
      this.#currentUnits[index] = this.#unitOf(this.order[index] ?? 0, depth)
    }
    this.#pending.push([first, end, depth])
  }

  #unitOf(key: number, depth: number): number {
    const position = (this.#starts[key] ?? 0) + depth
    return position < (this.#starts[key + 1] ?? 0) ? (this.#units[position] ?? 0) : ENDED
  }

  #partition(first: number, end: number, depth: number): void {
    const units = this.#currentUnits
    const middle = (first + end) >> 1
    const pivot = median(units[first] ?? 0, units[middle] ?? 0, units[end - 1] ?? 0)
    let less = first
    let more = end
    for (let index = first; index < more; ) {
      const unit = units[index] ?? 0
      if (unit < pivot) {
        this.#swap(less, index)
        less += 1
        index += 1
      } else if (unit > pivot) {
        more -= 1
        this.#swap(index, more)
      } else index += 1
    }
    if (less - first > 1) this.#pending.push([first, less, depth])
    if (end - more > 1) this.#pending.push([more, end, depth])
    if (pivot === ENDED) this.order.subarray(less, more).sort(this.#compareEqual)
    else if (more - less > 1) this.#descend(less, more, depth + 1)
  }

  #swap(a: number, b: number): void {
    const { order } = this
    const units = this.#currentUnits
    const key = order[a] ?? 0
    const unit = units[a] ?? 0
    order[a] = order[b] ?? 0
    units[a] = units[b] ?? 0
    order[b] = key
    units[b] = unit
  }

  #insert(first: number, end: number, depth: number): void {
    const { order } = this
    for (let index = first + 1; index < end; index += 1) {
      const key = order[index] ?? 0
      let to = index
      for (; to > first && this.#compare(order[to - 1] ?? 0, key, depth) > 0; to -= 1) {
        order[to] = order[to - 1] ?? 0
      }
      order[to] = key
    }
  }

  #compare(a: number, b: number, depth: number): number {
    for (let index = depth; ; index += 1) {
      const unitA = this.#unitOf(a, index)
      const unitB = this.#unitOf(b, index)
      if (unitA !== unitB) return unitA - unitB
      if (unitA === ENDED) return this.#compareEqual(a, b)
    }
  }
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
