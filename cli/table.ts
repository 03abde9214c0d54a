/** Rows for a person's eyes, for a pipe, or for a program. */
import { printable } from '#wire/printable.ts'
import type { Io } from './io.ts'

export type Cell = string | number | boolean

/**
 * Prints rows: aligned for a terminal, separated by tabs for a pipe, as JSON when asked.
 *
 * @param value what `--json` prints; it may say more than the columns
 */
export function printTable(
  io: Io,
  head: string[],
  rows: Cell[][],
  json: boolean,
  value: unknown,
): void {
  if (json) {
    io.out(JSON.stringify(value, null, 2))
    return
  }
  const lines = [head, ...rows.map((row) => row.map(cellText))]
  const print = io.isTerminal ? aligned(lines) : lines.map((line) => line.join('\t'))
  for (const line of print) io.out(line)
}

/** No cell can break its row, or act on the terminal: tabs and line breaks are shown, not printed. */
function cellText(cell: Cell): string {
  const shown = String(cell).replace(
    /[\t\n\r]/g,
    (mark) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[mark] ?? '',
  )
  return printable(shown)
}

function aligned(lines: string[][]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  )
  return lines.map((line) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  )
}
