/** Reads the reports of the test runners: which tests ran, and how each ended. Printed output has no stable format. */
import { dirname, join, relative } from 'node:path'
import { REPO_ROOT } from '../repo-root.ts'

/** How a test ended. `flaky`: it failed, and passed when it ran once more, alone. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'flaky'

/** One test of a report. */
export interface TestResult {
  /** From the top of the repository: `test/api/raw.test.ts`. */
  file: string
  /** Its own title, then those of the groups around it, the innermost first. */
  titles: readonly string[]
  outcome: Outcome
  /** Playwright's project. The same test can run in several. */
  project?: string
  /** If it failed in a browser: what its run left. */
  evidence?: Evidence
}

export interface Evidence {
  /** The failed assertion, as `test/e2e/flows/page/looks.spec.ts:12`; empty if the failure has no place. */
  location: string
  /** The first lines of the error. */
  message: string
  /** The folder with the picture, the logs and the trace, from the top of the repository; empty if there is none. */
  folder: string
}

/** The same for the same test in two reports. */
export function keyOf({ file, titles, project = '' }: TestResult): string {
  return JSON.stringify([file, project, ...titles])
}

/** `test/api/raw.test.ts: group: title` */
export function nameOf({ file, titles, project }: TestResult): string {
  const groups = titles.toReversed().filter((title) => title !== '')
  return [file, ...(project ? [`(${project})`] : []), ...groups].join(': ').replace(': (', ' (')
}

/**
 * Reads a report of `bun test --reporter=junit`.
 *
 * @returns no tests for an incomplete report
 */
export function readJunit(xml: string): TestResult[] {
  const cases = [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)]
  return cases.map(([, attributes = '', inside = '']) => {
    const read = (name: string) =>
      unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
    const groups = read('classname').split(' > ').filter(Boolean)
    return { file: read('file'), titles: [read('name'), ...groups], outcome: outcomeOf(inside) }
  })
}

function outcomeOf(inside: string): Outcome {
  if (/<(?:failure|error)\b/.test(inside)) return 'failed'
  return inside.includes('<skipped') ? 'skipped' : 'passed'
}

function unescaped(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return names[name] ?? whole
    const hex = name[1]?.toLowerCase() === 'x'
    return String.fromCodePoint(Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10))
  })
}

/** The fields of Playwright's JSONReport that are read here. */
interface Report {
  config: { rootDir: string }
  suites: Suite[]
}

interface Suite {
  title: string
  suites?: Suite[]
  specs: { title: string; file: string; tests: BrowserTest[] }[]
}

interface BrowserTest {
  projectName: string
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  results: {
    errors?: { message?: string; location?: { file: string; line: number } }[]
    attachments?: { path?: string }[]
  }[]
}

/** Reads a report of Playwright's JSON reporter. @throws SyntaxError for an incomplete report */
export function readPlaywright(json: string): TestResult[] {
  const { config, suites } = JSON.parse(json) as Report
  const folder = relative(REPO_ROOT, config.rootDir)
  return suites.flatMap((suite) => testsOf(suite, [], folder))
}

/** @param groups the titles of the groups around the suite, the innermost first; a file is no group */
function testsOf(suite: Suite, groups: string[], folder: string): TestResult[] {
  const own = suite.specs.flatMap(({ title, file, tests }) =>
    tests.map((test) => ({
      file: join(folder, file),
      titles: [title, ...groups],
      project: test.projectName,
      ...endOf(test),
    })),
  )
  const inner = (suite.suites ?? []).flatMap((one) => testsOf(one, [one.title, ...groups], folder))
  return [...own, ...inner]
}

const OUTCOMES: Record<BrowserTest['status'], Outcome> = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'flaky',
  skipped: 'skipped',
}

function endOf({ status, results }: BrowserTest): Pick<TestResult, 'outcome' | 'evidence'> {
  const outcome = OUTCOMES[status]
  const paths = results.flatMap(({ attachments = [] }) => attachments.map(({ path }) => path))
  const path = paths.find((one) => one !== undefined)
  const folder = path === undefined ? '' : relative(REPO_ROOT, dirname(path))
  const error = results.flatMap(({ errors = [] }) => errors)[0]
  if (!error)
    return folder ? { outcome, evidence: { location: '', message: '', folder } } : { outcome }
  const { file, line } = error.location ?? {}
  const location = file === undefined ? '' : `${relative(REPO_ROOT, file)}:${line}`
  return { outcome, evidence: { location, message: Bun.stripANSI(error.message ?? ''), folder } }
}
