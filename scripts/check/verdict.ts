/**
 * Decides whether the check succeeds. Tests that failed run once more, alone. One that passes then is flaky: two flaky tests
 * are accepted, so that chance does not refuse finished work, and all are named, so that they are repaired.
 */
import { type Evidence, keyOf, nameOf, type Outcome, type TestResult } from './reports.ts'

/** With more flaky tests, the check fails. */
export const FLAKY_MAX = 2

/** In a title: the test runs, and its failure does not fail the check. The date is the day on which the tag was added. */
export const QUARANTINE = /@quarantine-(\d{4}-\d{2}-\d{2})\b/

export interface Verdict {
  /** Every test once, with its final outcome. */
  results: TestResult[]
  passed: number
  failed: TestResult[]
  flaky: TestResult[]
  /** Failed tests in quarantine. They count neither as passed nor as failed. */
  quarantined: TestResult[]
  isGreen: boolean
}

/**
 * Combines the first run of all tests with the second run of those that failed.
 *
 * @param second the tests of the repeated files; a test that is missing here was not repeated
 */
export function verdictOf(first: readonly TestResult[], second: readonly TestResult[]): Verdict {
  const repeated = new Map(second.map((test) => [keyOf(test), test]))
  const known = new Set(first.map(keyOf))
  const results = [
    ...first.map((test) => finalResult(test, repeated.get(keyOf(test)))),
    // Tests that did not run at first, because their group or their file failed before them.
    ...second.filter((test) => !known.has(keyOf(test))),
  ]
  const of = (outcome: Outcome) => results.filter((test) => test.outcome === outcome)
  const [quarantined, failed] = partition(of('failed'), isQuarantined)
  const flaky = of('flaky').filter((test) => !isQuarantined(test))
  return {
    results,
    passed: of('passed').length + of('flaky').length,
    failed,
    flaky,
    quarantined,
    isGreen: failed.length === 0 && flaky.length <= FLAKY_MAX,
  }
}

function finalResult(first: TestResult, second: TestResult | undefined): TestResult {
  if (!second) return first
  const outcomes = [first.outcome, second.outcome]
  if (!outcomes.includes('failed')) return first
  const hasPassed = outcomes.includes('passed') || outcomes.includes('flaky')
  const evidence = first.outcome === 'failed' ? first.evidence : second.evidence
  return {
    ...first,
    outcome: hasPassed ? 'flaky' : 'failed',
    ...(evidence ? { evidence: withFolder(evidence, second.evidence) } : {}),
  }
}

/** The evidence of the first run, in the folder that holds that of both. */
function withFolder(evidence: Evidence, second: Evidence | undefined): Evidence {
  return evidence.folder === '' && second ? { ...evidence, folder: second.folder } : evidence
}

export function isQuarantined({ titles }: TestResult): boolean {
  return titles.some((title) => QUARANTINE.test(title))
}

function partition<T>(items: readonly T[], accepts: (item: T) => boolean): [T[], T[]] {
  return [items.filter(accepts), items.filter((item) => !accepts(item))]
}

/**
 * The last lines of the check: the tests that failed, were flaky or are in quarantine, and the number of tests.
 *
 * @returns at least one line; the last is `N passed, N failed`
 */
export function closingLines({ passed, failed, flaky, quarantined }: Verdict): string[] {
  const tooMany = flaky.length > FLAKY_MAX ? `; at most ${FLAKY_MAX} are accepted` : ''
  return [
    ...namesOf('quarantined and failed', quarantined),
    ...namesOf('flaky', flaky, tooMany),
    ...namesOf('failed', failed),
    `${passed} passed, ${failed.length} failed`,
  ]
}

/** `flaky: 2: first name` and a line for each further name, with the assertion and the folder of the evidence. */
function namesOf(kind: string, tests: readonly TestResult[], note = ''): string[] {
  if (tests.length === 0) return []
  return tests.map((test, index) => {
    const head = index === 0 ? `${kind}: ${tests.length}${note}: ` : `${' '.repeat(kind.length)}  `
    const { location = '', folder = '' } = test.evidence ?? {}
    const details = [location && `at ${location}`, folder && `see ${folder}`].filter(Boolean)
    return head + [nameOf(test), ...details].join('\n    ')
  })
}

/** The content of dist/flaky.json: the flaky tests, with the error of the run that failed. */
export function flakyReport(flaky: readonly TestResult[]): string {
  const rows = flaky.map((test) => ({ name: nameOf(test), ...test.evidence }))
  return `${JSON.stringify(rows, null, 2)}\n`
}
