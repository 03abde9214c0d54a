/** The suites of tests: how each runs, and how its failed tests run once more. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { EXECUTABLE } from '../executable.ts'
import { REPO_ROOT } from '../repo-root.ts'
import { mustHaveBrowsers } from './machine.ts'
import { run } from './process.ts'
import { keyOf, readJunit, readPlaywright, type TestResult } from './reports.ts'
import { SLOW_FILES } from './slow-files.ts'

export interface SuiteRun {
  results: TestResult[]
  /** What the runner printed. */
  output: string
}

export interface Suite {
  run(): Promise<SuiteRun>
  /** Runs the files of these tests again, one at a time. In browsers, only the tests themselves. */
  repeat(failed: readonly TestResult[]): Promise<SuiteRun>
}

const REPORTS = join(REPO_ROOT, 'dist/reports')
/** Of each test, in milliseconds. */
const TIMEOUT_MS = 60_000
/** Half of the time of a file is waiting: for a server that starts, a disk that does not answer, a limit of time. */
const FILES_AT_ONCE = 2 * availableParallelism()

/**
 * Tests of `bun test`, some files at a time, the slow ones first.
 *
 * @param paths files and folders below test/; those that do not exist are left out
 * @param options.isAlone runs one file at a time
 */
export function bunSuite(name: string, paths: readonly string[], { isAlone = false } = {}): Suite {
  const atOnce = isAlone ? 1 : FILES_AT_ONCE
  const all = paths
    .map((path) => `test/${path}`)
    .filter((path) => existsSync(join(REPO_ROOT, path)))
  return {
    run: () => runBunTest(name, all, atOnce),
    async repeat(failed) {
      if (failed.some(isRunner))
        return withRecovered(failed, await runBunTest(`${name}-again`, all, 1))
      const files = [...new Set(failed.map(({ file }) => file))]
      const runs: SuiteRun[] = []
      for (const [index, file] of files.entries()) {
        runs.push(await runBunTest(`${name}-again-${index + 1}`, [file], 1))
      }
      return withRecovered(failed, {
        results: runs.flatMap(({ results }) => results),
        output: runs.map(({ output }) => output).join('\n'),
      })
    },
  }
}

async function runBunTest(
  name: string,
  paths: readonly string[],
  atOnce: number,
): Promise<SuiteRun> {
  const report = newReport(`${name}.xml`)
  const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
  const parallel =
    atOnce > 1 ? [`--parallel=${atOnce}`, `--timings=${writeTimings(name, paths)}`] : []
  const options = ['--only-failures', `--timeout=${TIMEOUT_MS}`, ...parallel, ...reporter]
  const targets = paths.map((path) => `./${path}`)
  const { code, output } = await run([process.execPath, 'test', ...options, ...targets], {
    FILEMGR_BIN: EXECUTABLE,
  })
  const results = existsSync(report) ? readJunit(readFileSync(report, 'utf8')) : []
  return withOutside({ results, output }, code, testFilesOf(paths))
}

/**
 * Writes how long each file takes, so that the runner begins with `SLOW_FILES`: a slow file that begins last runs alone.
 *
 * @returns the path of the document, which `bun test` reads
 */
function writeTimings(name: string, paths: readonly string[]): string {
  const times = testFilesOf(paths).map((file) => {
    const at = SLOW_FILES.indexOf(file)
    return [file, at < 0 ? 0 : SLOW_FILES.length - at]
  })
  const document = newReport(`${name}-timings.json`)
  writeFileSync(document, JSON.stringify({ version: 1, files: Object.fromEntries(times) }))
  return document
}

/** The test files at and below these paths. */
function testFilesOf(paths: readonly string[]): string[] {
  const glob = new Bun.Glob('**/*.test.{ts,tsx}')
  return paths.flatMap((path) =>
    path.includes('.test.')
      ? [path]
      : [...glob.scanSync(join(REPO_ROOT, path))].map((name) => join(path, name)),
  )
}

const BROWSER_TESTS = 'test/e2e'
/** The evidence of failed tests, a folder for each. */
const EVIDENCE = 'dist/e2e'
const EVIDENCE_AGAIN = 'dist/e2e-again'

/** The end-to-end tests, with Playwright. */
export function browserSuite(): Suite {
  const lastRun = join(REPORTS, 'e2e-last-run.json')
  return {
    run: () => runPlaywright('e2e', EVIDENCE, lastRun, []),
    async repeat(failed) {
      const onlyFailed = failed.some(isRunner) ? [] : ['--last-failed']
      const options = [...onlyFailed, '--workers=1', '--trace=on']
      const again = await runPlaywright('e2e-again', EVIDENCE_AGAIN, lastRun, options)
      const joined = { ...again, results: again.results.map(joinEvidence(failed)) }
      return withRecovered(failed, joined)
    },
  }
}

async function runPlaywright(
  name: string,
  folder: string,
  lastRun: string,
  options: readonly string[],
): Promise<SuiteRun> {
  const report = newReport(`${name}.json`)
  const { chromium, headlessShell } = mustHaveBrowsers()
  const runner = ['node', 'node_modules/playwright/cli.js', 'test']
  // The dot reporter prints failures last, where a reader of the log looks first.
  const fixed = [`--config=${BROWSER_TESTS}/playwright.config.ts`, '--reporter=dot,json']
  const { code, output } = await run([...runner, ...fixed, `--output=${folder}`, ...options], {
    FILEMGR_BIN: EXECUTABLE,
    FILEMGR_CHROMIUM: chromium,
    FILEMGR_HEADLESS_SHELL: headlessShell,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    PLAYWRIGHT_LAST_RUN_OUTPUT_FILE: lastRun,
  })
  const results = existsSync(report) ? readPlaywright(readFileSync(report, 'utf8')) : []
  return withOutside({ results, output }, code, [])
}

/** Moves what the second run of a test left into the folder of its first run, as `again/`. */
function joinEvidence(failed: readonly TestResult[]): (again: TestResult) => TestResult {
  const folders = new Map(failed.map((test) => [keyOf(test), test.evidence?.folder ?? '']))
  return (again) => {
    const [first, second] = [folders.get(keyOf(again)), again.evidence?.folder]
    if (!first || !second || !existsSync(join(REPO_ROOT, second))) return again
    renameSync(join(REPO_ROOT, second), join(REPO_ROOT, first, 'again'))
    return again.evidence ? { ...again, evidence: { ...again.evidence, folder: first } } : again
  }
}

/**
 * Adds what failed without a test, as failed tests: files without a result, because they cannot be loaded or their process
 * ended; and the runner itself, if nothing else explains its exit code.
 *
 * @param files the files that should have a result
 */
function withOutside(
  { results, output }: SuiteRun,
  code: number,
  files: readonly string[],
): SuiteRun {
  const reported = new Set(results.map(({ file }) => file))
  const missing = files.filter((file) => !reported.has(file))
  const failures = missing.map((file) => failureOutside(file, NO_RESULT))
  const isExplained =
    code === 0 || failures.length > 0 || results.some(({ outcome }) => outcome === 'failed')
  if (!isExplained) failures.push(failureOutside('', `${RUNNER} with exit code ${code}`))
  return { results: [...results, ...failures], output }
}

function failureOutside(file: string, title: string): TestResult {
  return { file, titles: [title], outcome: 'failed' }
}

/** Adds what failed outside of tests, and did not fail again, as passed tests. */
function withRecovered(failed: readonly TestResult[], again: SuiteRun): SuiteRun {
  const failedAgain = new Set(again.results.map(keyOf))
  const recovered = failed.filter((test) => isOutside(test) && !failedAgain.has(keyOf(test)))
  const passed = recovered.map((test) => ({ ...test, outcome: 'passed' as const }))
  return { ...again, results: [...again.results, ...passed] }
}

const NO_RESULT = 'the file has no result: it cannot be loaded, or its process ended'
const RUNNER = 'the test runner ended'
/** The name that `bun test` gives to a failed `beforeAll` or `afterAll`. */
const HOOK = '(unnamed)'

/** Whether something failed outside of a test. */
function isOutside(test: TestResult): boolean {
  return isRunner(test) || test.titles[0] === HOOK || test.titles[0] === NO_RESULT
}

function isRunner({ titles }: TestResult): boolean {
  return titles[0]?.startsWith(RUNNER) === true
}

/** The path of a report that does not exist yet. */
function newReport(name: string): string {
  mkdirSync(REPORTS, { recursive: true })
  const report = join(REPORTS, name)
  rmSync(report, { force: true })
  return report
}
