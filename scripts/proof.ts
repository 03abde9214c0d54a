/**
 * Checks the proofs of documents. Each row of a table names tests as `file: title`, with the path below test/, and each
 * named test must have run and passed.
 *
 * As a program, it reads the reports of the last `npm test` in dist/.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'

/** The documents whose rows name tests. */
export const PROVEN = ['docs/proof.md', 'SECURITY.md']

const FOLDERS = 'api|cli|server|ui|e2e|attacks|faults|contract|packaging|scripts|soak'
const PROOF = new RegExp(`\`((?:${FOLDERS})/[\\w./-]+|[a-z]+\\.test): ([^\`]+)\``, 'g')

/** A test that a row names. */
export interface Proof {
  /** Below test/, without its ending: `api/login`. */
  file: string
  /** Of a test or of a group of tests, with the placeholders of `test.each`. */
  title: string
}

/** A test that a runner reported. */
export interface Reported {
  /** Below test/, without its ending. */
  file: string
  /** Its own title and those of the groups it is in. */
  titles: readonly string[]
  outcome: 'passed' | 'failed' | 'skipped'
}

/** The tests that a Markdown document names. */
export function proofsOf(markdown: string): Proof[] {
  return [...markdown.matchAll(PROOF)].map(([, file = '', title = '']) => ({ file, title }))
}

/** The rows that name no test, of all tables with a column "proven by". */
export function rowsWithoutProof(markdown: string): string[] {
  const tables = markdown.split(/\n\n/).filter((part) => /\|\s*proven by\s*\|/.test(part))
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(2))
  return rows.filter((row) => proofsOf(row).length === 0)
}

/**
 * Finds proofs whose test did not run or failed. A test that was skipped is no fault: it cannot run on this machine.
 *
 * @returns a line for each fault
 */
export function unproven(proofs: readonly Proof[], reported: readonly Reported[]): string[] {
  const byFile = Map.groupBy(reported, ({ file }) => file)
  return proofs.flatMap(({ file, title }) => {
    const pattern = patternOf(title)
    const named = (byFile.get(file) ?? []).filter((test) =>
      test.titles.some((t) => pattern.test(t)),
    )
    if (named.length === 0) return [`${file}: ${title}: no such test ran`]
    const failed = named.some(({ outcome }) => outcome === 'failed')
    return failed ? [`${file}: ${title}: failed`] : []
  })
}

/** Reads a report of `bun test --reporter=junit`. */
export function readJunitTests(xml: string): Reported[] {
  const cases = [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)]
  return cases.map(([, attributes = '', inside = '']) => {
    const read = (name: string) =>
      unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
    return {
      file: belowTest(read('file')),
      titles: [read('name'), ...read('classname').split(' > ')],
      outcome: outcomeOf(inside),
    }
  })
}

/** Reads a report of Playwright's JSON reporter. */
export function readPlaywrightTests(json: string): Reported[] {
  const { suites } = JSON.parse(json) as { suites: Suite[] }
  return suites.flatMap((suite) => testsOf(suite, []))
}

/** The fields of Playwright's JSONReportSuite that are read here. */
interface Suite {
  title: string
  suites?: Suite[]
  specs: { title: string; file: string; tests: { status: string }[] }[]
}

function testsOf(suite: Suite, above: string[]): Reported[] {
  const groups = [...above, suite.title]
  const own = suite.specs.map(({ title, file, tests }) => ({
    file: belowTest(join('e2e/flows', file)),
    titles: [title, ...groups],
    outcome: worstOf(tests.map(({ status }) => status)),
  }))
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, groups))]
}

/** A test that passed only when repeated did not pass. */
function worstOf(statuses: string[]): Reported['outcome'] {
  if (statuses.some((status) => status !== 'expected' && status !== 'skipped')) return 'failed'
  return statuses.includes('expected') ? 'passed' : 'skipped'
}

function outcomeOf(inside: string): Reported['outcome'] {
  if (/<(?:failure|error)\b/.test(inside)) return 'failed'
  return inside.includes('<skipped') ? 'skipped' : 'passed'
}

function belowTest(path: string): string {
  return path.replace(/^test\//, '').replace(/\.(?:test|spec)\.tsx?$/, '')
}

/** Matches a whole title. `%s`, `$name` and `${name}` match any text, because the runner replaced them by values. */
function patternOf(title: string): RegExp {
  const parts = title.split(/%[sdijpo]|\$\{[^}]*\}|\$[a-z]\w*/i)
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's')
}

function unescaped(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return names[name] ?? whole
    const hex = name[1]?.toLowerCase() === 'x'
    return String.fromCodePoint(Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10))
  })
}

/** The tests of these reports, in the formats of `bun test` and Playwright. */
export function readReports(reports: readonly string[]): Reported[] {
  return reports.flatMap((text) =>
    text.startsWith('{') ? readPlaywrightTests(text) : readJunitTests(text),
  )
}

/** @returns a line for each fault of the documents in PROVEN, compared with the tests that ran */
export function faultsOfProofs(reported: readonly Reported[]): string[] {
  return PROVEN.flatMap((name) => {
    const text = readFileSync(join(REPO_ROOT, name), 'utf8')
    const empty = rowsWithoutProof(text).map((row) => `names no test: ${row}`)
    return [...empty, ...unproven(proofsOf(text), reported)].map((fault) => `${name}: ${fault}`)
  })
}

if (import.meta.main) {
  const dist = join(REPO_ROOT, 'dist')
  const reports = readdirSync(dist).filter((name) => /^report-\d+$/.test(name))
  const faults = faultsOfProofs(
    readReports(reports.map((name) => readFileSync(join(dist, name), 'utf8'))),
  )
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
