/**
 * The proofs of statements. docs/specification.md numbers statements, and docs/limits.md numbers limits. The title of each
 * test that proves one, or the title of its group, ends with the number as a tag: `@spec-2.1`, `@limit-1`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../repo-root.ts'
import { nameOf, type Outcome, type TestResult } from './reports.ts'
import { isQuarantined } from './verdict.ts'

export interface Statement {
  /** Its tag without the @: `spec-2.1`, `limit-1`. */
  id: string
  text: string
}

const DOCUMENTS = ['docs/specification.md', 'docs/limits.md']
/** The tags at the end of a title. */
const TAGS = /(?: @\S+)+$/
/** A tag with a digit is that of a statement, perhaps mistyped. A quarantine has a date. */
const PROOF_TAG = /^@(?!quarantine-)\S*\d/

/**
 * Checks the statements of all documents, and writes dist/proof.md.
 *
 * @param results all tests that ran
 * @returns a line for each fault; undefined if there is none
 */
export function checkProofs(results: readonly TestResult[]): string | undefined {
  const statements = readStatements()
  writeFileSync(join(REPO_ROOT, 'dist/proof.md'), proofTable(statements, results))
  const faults = faultsOfProofs(statements, results)
  return faults.length > 0 ? faults.join('\n') : undefined
}

/** @returns the statements of all documents */
export function readStatements(): Statement[] {
  return DOCUMENTS.flatMap((name) => statementsOf(readFileSync(join(REPO_ROOT, name), 'utf8')))
}

/**
 * Reads the statements of a Markdown document: the rows of all tables whose first column is `no.`, with the text of the
 * second column. `2.1` has the id `spec-2.1`, and `L1` has the id `limit-1`.
 *
 * @returns a number that the document uses twice, twice
 */
export function statementsOf(markdown: string): Statement[] {
  const tables = markdown.split(/\n{2,}/).filter((part) => part.startsWith('| no. |'))
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(2))
  return rows.map((row) => {
    const [, number = '', text = ''] = row.split(/(?<!\\)\|/).map((cell) => cell.trim())
    return { id: number.startsWith('L') ? `limit-${number.slice(1)}` : `spec-${number}`, text }
  })
}

/** @returns the ids of the statements that the tags at the end of a title name, also ids that do not exist */
export function tagsOf(title: string): string[] {
  const tags = TAGS.exec(title)?.[0].trim().split(' ') ?? []
  return tags.filter((tag) => PROOF_TAG.test(tag)).map((tag) => tag.slice(1))
}

/**
 * Compares the statements with the tests that ran.
 *
 * @returns a line for each statement without a test that passed, except if all its tests were skipped on this machine;
 * for each statement with a failed test; for each tag that names no statement; and for each number that is used twice
 */
export function faultsOfProofs(
  statements: readonly Statement[],
  results: readonly TestResult[],
): string[] {
  const tests = testsById(results)
  const repeated = statements.filter(
    ({ id }, index) => statements.findIndex((other) => other.id === id) < index,
  )
  return [
    ...repeated.map(({ id, text }) => `${id}: another statement has this number: ${text}`),
    ...unknownTags(statements, results),
    ...statements.flatMap(({ id, text }) => {
      const found = tests.get(id) ?? []
      const failed = found.filter(({ outcome }) => outcome === 'failed')
      const names = failed.map((test) => nameOf(untagged(test))).join(', ')
      const state = stateOf(found)
      if (state === 'no test') return [`${id}: no test with @${id} ran: ${text}`]
      return state === 'failed' ? [`${id}: ${names} failed: ${text}`] : []
    }),
  ]
}

/** @returns the content of dist/proof.md: a Markdown table with each statement, its result, and its tests with theirs */
export function proofTable(
  statements: readonly Statement[],
  results: readonly TestResult[],
): string {
  const tests = testsById(results)
  const rows = statements.map(({ id, text }) => {
    const found = tests.get(id) ?? []
    const names = found.map((test) => `${test.outcome}: ${asCell(nameOf(untagged(test)))}`)
    return `| ${id} | ${text} | ${stateOf(found)} | ${names.join('<br>')} |`
  })
  return ['| no. | statement | result | tests |', '| --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  )
}

/** A failed test in quarantine proves nothing, and is no fault of a statement that another test proves. */
function stateOf(
  tests: readonly TestResult[],
): 'passed' | 'failed' | 'skipped on this machine' | 'no test' {
  const has = (...outcomes: Outcome[]) => tests.some(({ outcome }) => outcomes.includes(outcome))
  if (tests.some((test) => test.outcome === 'failed' && !isQuarantined(test))) return 'failed'
  if (has('passed', 'flaky')) return 'passed'
  if (has('failed')) return 'failed'
  return has('skipped') ? 'skipped on this machine' : 'no test'
}

/** The tests that prove each statement, by its id. The tag of a group is that of each of its tests. */
function testsById(results: readonly TestResult[]): Map<string, TestResult[]> {
  const tests = new Map<string, TestResult[]>()
  for (const test of results) {
    for (const id of new Set(test.titles.flatMap(tagsOf))) {
      tests.set(id, [...(tests.get(id) ?? []), test])
    }
  }
  return tests
}

function unknownTags(statements: readonly Statement[], results: readonly TestResult[]): string[] {
  const known = new Set(statements.map(({ id }) => id))
  const faults = results.flatMap(({ file, titles }) =>
    titles.flatMap((title) =>
      tagsOf(title)
        .filter((id) => !known.has(id))
        .map((id) => `${file}: ${title}: no statement has the tag @${id}`),
    ),
  )
  // The tag of a group is found for each of its tests.
  return [...new Set(faults)]
}

function untagged(test: TestResult): TestResult {
  return { ...test, titles: test.titles.map((title) => title.replace(TAGS, '')) }
}

function asCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ')
}
