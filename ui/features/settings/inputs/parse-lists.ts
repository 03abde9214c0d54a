/** Parses lists that users type (docs/specification.md 5). Pure. */

/** Words separated by spaces; empty ones are dropped. */
export function parseWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Lines; empty ones are dropped. */
export function parseLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
