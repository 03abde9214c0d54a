/** Compares two versions of a text line by line. */
import { ON_DEMAND_LIMITS } from '../on-demand-limits.ts'

export interface DiffRow {
  /** A line of the left version; undefined if the right version has more lines here. */
  left: string | undefined
  right: string | undefined
  isSame: boolean
}

type Compare = (a: readonly string[], b: readonly string[]) => readonly DiffRow[]

/** Aligns the two texts side by side; unchanged lines share a row. Line ends are not compared. */
export function diffLines(left: string, right: string): readonly DiffRow[] {
  return diffBetweenEqual(left.split(LINE_END), right.split(LINE_END), diffMiddle)
}

const LINE_END = /\r\n?|\n/

/** @param compare compares the lines between the equal beginning and the equal end */
function diffBetweenEqual(
  a: readonly string[],
  b: readonly string[],
  compare: Compare,
): readonly DiffRow[] {
  const start = commonLength(a, b, (lines, index) => lines[index])
  const uncompared = Math.min(a.length, b.length) - start
  const end = Math.min(
    uncompared,
    commonLength(a, b, (lines, index) => lines[lines.length - 1 - index]),
  )
  return [
    ...a.slice(0, start).map(sameRow),
    ...compare(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(sameRow),
  ]
}

function sameRow(line: string): DiffRow {
  return { left: line, right: line, isSame: true }
}

/** The number of equal lines from index 0; `lineAt` decides from which end the lines are counted. */
function commonLength(
  a: readonly string[],
  b: readonly string[],
  lineAt: (lines: readonly string[], index: number) => string | undefined,
): number {
  const shorter = Math.min(a.length, b.length)
  let index = 0
  while (index < shorter && lineAt(a, index) === lineAt(b, index)) index += 1
  return index
}

/**
 * Compares the lines between the equal beginning and the equal end. Many lines are divided at those that occur once in
 * each text, because an exact comparison takes time and memory for each pair of lines.
 */
function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffRow[] {
  const max = ON_DEMAND_LIMITS.exactDiffMaxLines
  let pairsLeft = max * max
  const compare: Compare = (a, b) => {
    const pairs = a.length * b.length
    if (a.length > max || b.length > max || pairs > pairsLeft) return pair(a, b)
    pairsLeft -= pairs
    return diffExactly(a, b)
  }
  if (a.length <= max && b.length <= max) return compare(a, b)
  const parts: (readonly DiffRow[])[] = []
  let [fromI, fromJ] = [0, 0]
  for (const { line, i, j } of anchorsOf(a, b)) {
    parts.push(diffBetweenEqual(a.slice(fromI, i), b.slice(fromJ, j), compare), [sameRow(line)])
    fromI = i + 1
    fromJ = j + 1
  }
  parts.push(diffBetweenEqual(a.slice(fromI), b.slice(fromJ), compare))
  return parts.flat()
}

/** A line that occurs once in each text: at `i` in the left one, and at `j` in the right one. */
interface Anchor {
  line: string
  i: number
  j: number
}

/** @returns the longest sequence of lines that occur once in each text, in the same order in both */
function anchorsOf(a: readonly string[], b: readonly string[]): Anchor[] {
  const indexInB = indexOfUnique(b)
  const candidates = [...indexOfUnique(a)].flatMap(([line, i]) => {
    const j = indexInB.get(line)
    return j === undefined ? [] : [{ line, i, j }]
  })
  /** `chains[n]` is the sequence of n + 1 candidates whose last one has the smallest `j`. */
  const chains: Chain[] = []
  for (const last of candidates) {
    const length = chainsBefore(chains, last.j)
    chains[length] = { last, before: chains[length - 1] }
  }
  const anchors: Anchor[] = []
  for (let chain = chains.at(-1); chain; chain = chain.before) anchors.push(chain.last)
  return anchors.reverse()
}

interface Chain {
  last: Anchor
  before: Chain | undefined
}

/** @returns the number of chains that end before the line `j`; they are in the order of their ends */
function chainsBefore(chains: readonly Chain[], j: number): number {
  let [low, high] = [0, chains.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chains[middle]?.last.j ?? j) < j) low = middle + 1
    else high = middle
  }
  return low
}

/** @returns the indices of the lines that occur once, in ascending order */
function indexOfUnique(lines: readonly string[]): Map<string, number> {
  const indices = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (indices.has(line)) repeated.add(line)
    else indices.set(line, index)
  }
  for (const line of repeated) indices.delete(line)
  return indices
}

/** Compares the lines by their longest common subsequence. */
function diffExactly(a: readonly string[], b: readonly string[]): readonly DiffRow[] {
  const lengths = commonLengths(a, b)
  const rows: DiffRow[] = []
  let [i, j, fromI, fromJ] = [0, 0, 0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      rows.push(...pair(a.slice(fromI, i), b.slice(fromJ, j)))
      rows.push({ left: a[i], right: b[j], isSame: true })
      i += 1
      j += 1
      fromI = i
      fromJ = j
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) i += 1
    else j += 1
  }
  rows.push(...pair(a.slice(fromI), b.slice(fromJ)))
  return rows
}

/** @returns a table: `table[i][j]` is the length of the longest common subsequence of `a` from i and `b` from j */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = table[i] ?? new Uint16Array()
    const below = table[i + 1] ?? new Uint16Array()
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return table
}

/** Pairs lines by their position; the longer version's further lines have no counterpart. */
function pair(a: readonly string[], b: readonly string[]): DiffRow[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => ({
    left: a[index],
    right: b[index],
    isSame: a[index] === b[index],
  }))
}
