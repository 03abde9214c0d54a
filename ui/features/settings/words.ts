/** Lists as people type them (docs/specification.md 5). Pure. */

/** Words divided by spaces; empty ones do not count. */
export function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Lines; empty ones do not count. */
export function linesIn(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
