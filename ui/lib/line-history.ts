/** Walking through earlier lines with the arrow keys. Pure. */

export interface HistoryCursor {
  /** Oldest first. */
  lines: readonly string[]
  /** Which of them is shown; their number stands for what is being written. */
  at: number
  /** What was being written when the walk began. */
  draft: string
}

/** Nobody walks: a new line is being written. */
export function startCursor(lines: readonly string[]): HistoryCursor {
  return { lines, at: lines.length, draft: '' }
}

/**
 * A step towards older (-1) or newer (1) lines, away from `text`.
 *
 * @returns the walk from there and the line to show; undefined where there is no such line
 */
export function step(
  walk: HistoryCursor,
  by: -1 | 1,
  text: string,
): { walk: HistoryCursor; line: string } | undefined {
  const at = walk.at + by
  if (at < 0 || at > walk.lines.length) return undefined
  const draft = walk.at === walk.lines.length ? text : walk.draft
  return { walk: { ...walk, at, draft }, line: walk.lines[at] ?? draft }
}
