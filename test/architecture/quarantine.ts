/** Tests in quarantine: `@quarantine-2026-11-28` in a title (scripts/check/verdict.ts). */
import type { Source } from './sources.ts'

/** How long a test may stay in quarantine. */
const DAYS_MAX = 14
const TESTS_MAX = 5
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * @param today in ms since 1970
 * @returns a line for each quarantine that is too old or has no valid date, and one if there are too many
 */
export function quarantineFaults(tests: readonly Source[], today: number): string[] {
  const found = tests.flatMap(({ path, code }) =>
    [...code.matchAll(/ @quarantine-([\w-]*)/g)].map(([, date = '']) => ({ path, date })),
  )
  const tooOld = found.filter(({ date }) => !(today - Date.parse(date) <= DAYS_MAX * DAY_MS))
  const tooMany = found.length > TESTS_MAX ? [`${found.length} tests are in quarantine`] : []
  return [...tooOld.map(({ path, date }) => `${path}: quarantine since ${date}`), ...tooMany]
}
