/** Detects the indentation of a text. */
import { ON_DEMAND_LIMITS } from '../on-demand-limits.ts'

/** One level of indentation: a tab, or a number of spaces. */
export type Indent = '\t' | string

const DEFAULT_SPACES = 2
/** A larger difference is an alignment and no level of indentation. */
const WIDEST_STEP = 8

/** @returns one level of the indentation of a text, by its first lines; two spaces if they show none */
export function indentOf(text: string): Indent {
  const starts = text
    .split(/\r\n?|\n/, ON_DEMAND_LIMITS.indentSampleLines)
    .map((line) => /^[\t ]*/.exec(line)?.[0] ?? '')
  const tabbed = starts.filter((start) => start.startsWith('\t')).length
  const spaced = starts.filter((start) => start.startsWith(' ')).length
  if (tabbed > spaced) return '\t'
  return ' '.repeat(commonStep(starts.map((start) => start.length)))
}

/** The most frequent difference between the indentations of neighbouring lines; the smaller of two equally frequent. */
function commonStep(widths: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const [index, width] of widths.entries()) {
    const step = Math.abs(width - (widths[index - 1] ?? 0))
    if (step > 1 && step <= WIDEST_STEP) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const [best] = [...counts].sort(
    ([stepA, countA], [stepB, countB]) => countB - countA || stepA - stepB,
  )
  return best?.[0] ?? DEFAULT_SPACES
}
