/** Prints rows for a terminal, a pipe or a program. */
import { printable } from '#server/lib/printable.ts'
import type { Io } from './io.ts'

export type Cell = string | number | boolean

/**
 * Prints rows: aligned on a terminal, tab-separated in a pipe, as JSON on request.
 *
 * @param value the value for `--json`, which may have more fields
 */
export function printTable(
  io: Io,
  head: string[],
  rows: Cell[][],
  isJson: boolean,
  value: unknown,
): void {
  if (isJson) {
    io.out(JSON.stringify(value, null, 2))
    return
  }
  const lines = [head, ...rows.map((row) => row.map(cellText))]
  const texts = io.isTerminal ? aligned(lines) : lines.map((line) => line.join('\t'))
  for (const text of texts) io.out(text)
}

/** Escapes tabs and newlines, so that a cell cannot break its row or control the terminal. */
function cellText(cell: Cell): string {
  const shown = String(cell).replace(
    /[\t\n\r]/g,
    (character) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[character] ?? '',
  )
  return printable(shown)
}

function aligned(lines: string[][]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    lines.reduce((width, line) => Math.max(width, Bun.stringWidth(line[column] ?? '')), 0),
  )
  return lines.map((line) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  )
}
