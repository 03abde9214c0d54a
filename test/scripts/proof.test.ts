/** scripts/proof.ts finds the tests that documents name as proof, and reports those that did not run or pass. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  faultsOfProofs,
  PROVEN,
  proofsOf,
  readJunitTests,
  readPlaywrightTests,
  rowsWithoutProof,
  unproven,
} from '../../scripts/proof.ts'
import { REPO_ROOT } from '../../scripts/repo-root.ts'

const PASSED = {
  file: 'api/login',
  titles: ['a name is told', 'the login'],
  outcome: 'passed',
} as const

test('tests in a row are read as file and title', () => {
  const row = '| Login | `api/login: a name is told`<br>`ui/lib/x: %s is read` |'
  expect(proofsOf(row)).toEqual([
    { file: 'api/login', title: 'a name is told' },
    { file: 'ui/lib/x', title: '%s is read' },
  ])
})

test('a row of a table with proofs that names no test is reported', () => {
  const table = '| what | proven by |\n|---|---|\n| a | `api/login: a` |\n| b | by reading |'
  expect(rowsWithoutProof(table)).toEqual(['| b | by reading |'])
})

test('a proof must be the complete title of a test or of its group', () => {
  const named = (title: string) => unproven([{ file: 'api/login', title }], [PASSED])
  expect(named('a name is told')).toEqual([])
  expect(named('the login')).toEqual([])
  expect(named('a name')).toEqual(['api/login: a name: no such test ran'])
})

test.each(['a %s is told', 'a $thing is told'])(
  'a title with parameters proves a test with their values: %s',
  (title) => {
    expect(unproven([{ file: 'api/login', title }], [PASSED])).toEqual([])
  },
)

test('a proof that failed or did not run is reported; a skipped test is not', () => {
  const proof = { file: 'api/login', title: 'a name is told' }
  expect(unproven([proof], [{ ...PASSED, outcome: 'failed' }])).toEqual([
    'api/login: a name is told: failed',
  ])
  expect(unproven([proof], [{ ...PASSED, outcome: 'skipped' }])).toEqual([])
  expect(unproven([proof], [])).toHaveLength(1)
})

test('titles, groups and outcomes are read from the report of bun test', () => {
  const xml = `<testsuites><testsuite name="a">
    <testcase name="a &lt;b&gt;&#10;c" classname="inner &gt; outer" file="test/api/x.test.ts" line="1" />
    <testcase name="two" classname="" file="test/ui/y.test.tsx"><skipped /></testcase>
    <testcase name="three" classname="" file="test/ui/y.test.tsx">
      <failure type="AssertionError" />
    </testcase></testsuite></testsuites>`
  expect(readJunitTests(xml)).toEqual([
    { file: 'api/x', titles: ['a <b>\nc', 'inner', 'outer'], outcome: 'passed' },
    { file: 'ui/y', titles: ['two', ''], outcome: 'skipped' },
    { file: 'ui/y', titles: ['three', ''], outcome: 'failed' },
  ])
})

test('titles, groups and outcomes are read from the report of Playwright, and flaky means failed', () => {
  const spec = (title: string, ...statuses: string[]) => ({
    title,
    file: 'x.spec.ts',
    tests: statuses.map((status) => ({ status })),
  })
  const inner = { title: 'group', specs: [spec('two', 'flaky'), spec('three', 'skipped')] }
  const suites = [
    { title: 'x.spec.ts', specs: [spec('one', 'expected', 'expected')], suites: [inner] },
  ]
  expect(readPlaywrightTests(JSON.stringify({ suites }))).toEqual([
    { file: 'e2e/flows/x', titles: ['one', 'x.spec.ts'], outcome: 'passed' },
    { file: 'e2e/flows/x', titles: ['two', 'x.spec.ts', 'group'], outcome: 'failed' },
    { file: 'e2e/flows/x', titles: ['three', 'x.spec.ts', 'group'], outcome: 'skipped' },
  ])
})

test('if no test ran, every document with proofs is reported', () => {
  const faults = faultsOfProofs([])
  for (const name of PROVEN) {
    expect(faults.some((fault) => fault.startsWith(`${name}: `))).toBe(true)
  }
})

// The last stage of `npm test` also checks this, but only after all tests.
test.each(PROVEN)('every test that %s names exists', (name) => {
  const proofs = proofsOf(readFileSync(join(REPO_ROOT, name), 'utf8'))
  expect(proofs.length).toBeGreaterThan(0)
  expect(proofs.filter(({ file, title }) => !sourceOf(file).includes(title))).toEqual([])
})

/**
 * The source of a test file, or an empty string if there is none.
 *
 * @param file below test/, without its extension, as a row names it
 */
function sourceOf(file: string): string {
  const paths = ['.test.ts', '.test.tsx', '.spec.ts'].map((extension) =>
    join(REPO_ROOT, 'test', `${file}${extension}`),
  )
  const path = paths.find((candidate) => existsSync(candidate))
  return path === undefined ? '' : readFileSync(path, 'utf8')
}
