/** Prints the report of an import. */
import type { ReportSection } from '#server/takeover/plan.ts'
import type { Io } from './io.ts'

const TITLES: Record<ReportSection['title'], string> = {
  users: 'Users',
  shares: 'Shares',
  rules: 'Rules',
  settings: 'Settings',
  commands: 'Commands',
}

/** Prints a heading for each section, followed by the changed and dropped values. */
export function printReport(report: readonly ReportSection[], print: Io['out']): void {
  for (const { title, summary, notes } of report) {
    print(`${TITLES[title]}: ${summary}`)
    for (const note of notes) print(`  - ${note}`)
  }
}
