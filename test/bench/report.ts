// Each benchmark reports: a signal ends it with its servers.
import './interruption.ts'

/** Prints figures beside their budgets. A figure that is missing or above its budget makes the run fail. */
export function report(
  title: string,
  budgets: Record<string, number>,
  figures: Partial<Record<string, number>>,
): void {
  const lines = [title]
  for (const [name, budget] of Object.entries(budgets)) {
    const figure = figures[name] ?? Number.NaN
    const isKept = figure <= budget
    if (!isKept) process.exitCode = 1
    const cells = [
      name.padEnd(28),
      figure.toFixed(2).padStart(8),
      `of ${budget}`,
      isKept ? '' : 'OVER',
    ]
    lines.push(`  ${cells.join('  ').trimEnd()}`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}
