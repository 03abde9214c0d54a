/** dist/bench.md: a section for each bench that was run, the latest of each. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REPO_ROOT } from '../support/executable.ts'

const FILE = join(REPO_ROOT, 'dist/bench.md')

export type Cell = string | number

/** Writes a table under its title, in place of the one that stood there, and prints it. */
export function writeTable(title: string, head: readonly string[], rows: readonly Cell[][]): void {
  const line = (cells: readonly Cell[]) => `| ${cells.map(textOf).join(' | ')} |`
  const marks = head.map((_, at) => (at === 0 ? '---' : '---:'))
  const table = [line(head), line(marks), ...rows.map(line)].join('\n')
  process.stdout.write(`${title}\n\n${table}\n\n`)
  mkdirSync(dirname(FILE), { recursive: true })
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8').split(/^(?=## )/m) : []
  const sections = before.filter((section) => !section.startsWith(`## ${title}\n`))
  writeFileSync(FILE, [...sections, `## ${title}\n\n${table}\n\n`].join(''))
}

/** Three digits that count; a figure that is missing is a dash. */
function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (Number.isNaN(cell)) return '–'
  return cell >= 100 ? cell.toFixed(0) : String(Number(cell.toPrecision(3)))
}
