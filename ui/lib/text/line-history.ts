/** Steps through earlier lines with the arrow keys. Pure. */

export interface HistoryCursor {
  /** The oldest first. */
  lines: readonly string[]
  /** The index of the shown line; the length of `lines` means the line being typed. */
  index: number
  /** The line that was being typed before the first step. */
  draft: string
}

/** The state before the first step: a new line is being typed. */
export function startCursor(lines: readonly string[]): HistoryCursor {
  return { lines, index: lines.length, draft: '' }
}

/**
 * Steps to an older (-1) or newer (1) line.
 *
 * @param text the line that is shown now
 * @returns the new state and the line to show; undefined if there is no older or newer line
 */
export function step(
  cursor: HistoryCursor,
  by: -1 | 1,
  text: string,
): { cursor: HistoryCursor; line: string } | undefined {
  const index = cursor.index + by
  if (index < 0 || index > cursor.lines.length) return undefined
  const draft = cursor.index === cursor.lines.length ? text : cursor.draft
  return { cursor: { ...cursor, index, draft }, line: cursor.lines[index] ?? draft }
}
