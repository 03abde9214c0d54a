/** What becomes of an old installation, for a person's eyes. */
import type { Section } from '#server/takeover/plan.ts'
import type { Io } from './io.ts'

const TITLES: Record<Section['title'], string> = {
  users: 'Users',
  shares: 'Shares',
  rules: 'Rules',
  settings: 'Settings',
  commands: 'Commands',
}

/** Prints a heading for each part, and below it what changes or is dropped. */
export function printReport(report: readonly Section[], print: Io['out']): void {
  for (const { title, summary, notes } of report) {
    print(`${TITLES[title]}: ${summary}`)
    for (const note of notes) print(`  - ${note}`)
  }
}
