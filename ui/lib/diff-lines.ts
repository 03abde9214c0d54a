/** Compares two versions of a text line by line. */
import { ON_DEMAND_LIMITS } from './on-demand-limits.ts'

export interface DiffRow {
  /** A line of the left version; undefined if the right version has more lines here. */
  left: string | undefined
  right: string | undefined
  isSame: boolean
}

/** Aligns the two texts side by side; unchanged lines share a row. */
export function diffLines(left: string, right: string): DiffRow[] {
  const a = left.split(/\r\n?|\n/)
  const b = right.split(/\r\n?|\n/)
  const start = commonLength(a, b, (lines, index) => lines[index])
  const uncompared = Math.min(a.length, b.length) - start
  const end = Math.min(
    uncompared,
    commonLength(a, b, (lines, index) => lines[lines.length - 1 - index]),
  )
  const same = (line: string): DiffRow => ({ left: line, right: line, isSame: true })
  return [
    ...a.slice(0, start).map(same),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ]
}

/** The number of equal lines from index 0; `lineAt` decides from which end the lines are counted. */
function commonLength(
  a: string[],
  b: string[],
  lineAt: (lines: string[], index: number) => string | undefined,
): number {
  const shorter = Math.min(a.length, b.length)
  let index = 0
  while (index < shorter && lineAt(a, index) === lineAt(b, index)) index += 1
  return index
}

/** Compares the lines between the equal beginning and the equal end. */
function diffMiddle(a: string[], b: string[]): DiffRow[] {
  if (
    a.length > ON_DEMAND_LIMITS.exactDiffMaxLines ||
    b.length > ON_DEMAND_LIMITS.exactDiffMaxLines
  )
    return pair(a, b)
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
function commonLengths(a: string[], b: string[]): Uint16Array[] {
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

/** Pairs changed lines by their position; the longer version's further lines have no counterpart. */
function pair(a: string[], b: string[]): DiffRow[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => ({
    left: a[index],
    right: b[index],
    isSame: false,
  }))
}
