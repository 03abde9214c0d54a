/** Writes dist/bench.md: a section for each table, with its latest version. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'

const FILE = join(REPO_ROOT, 'dist/bench.md')

export type Cell = string | number

/** Prints a table, and writes it to the file; an earlier table with the same title is replaced. */
export function writeTable(title: string, head: readonly string[], rows: readonly Cell[][]): void {
  const line = (cells: readonly Cell[]) => `| ${cells.map(textOf).join(' | ')} |`
  const alignments = head.map((_, column) => (column === 0 ? '---' : '---:'))
  const table = [line(head), line(alignments), ...rows.map(line)].join('\n')
  process.stdout.write(`${title}\n\n${table}\n\n`)
  mkdirSync(dirname(FILE), { recursive: true })
  const earlier = existsSync(FILE) ? readFileSync(FILE, 'utf8').split(/^(?=## )/m) : []
  const others = earlier.filter((section) => !section.startsWith(`## ${title}\n`))
  writeFileSync(FILE, [...others, `## ${title}\n\n${table}\n\n`].join(''))
}

/** Three significant digits; a dash for a figure that is missing. */
function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (Number.isNaN(cell)) return '–'
  return cell >= 100 ? cell.toFixed(0) : String(Number(cell.toPrecision(3)))
}
