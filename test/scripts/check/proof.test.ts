/** The statements of docs/specification.md and the limits of docs/limits.md each have a test with their number as a tag. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  faultsOfProofs,
  proofTable,
  readStatements,
  statementsOf,
  tagsOf,
} from '../../../scripts/check/proof.ts'
import type { Outcome, TestResult } from '../../../scripts/check/reports.ts'
import { REPO_ROOT } from '../../../scripts/repo-root.ts'

const LOGIN = { id: 'spec-7.1', text: 'The login' }
const FORM = { id: 'limit-2', text: 'a form' }

function result(title: string, outcome: Outcome = 'passed', ...groups: string[]): TestResult {
  return { file: 'test/api/login.test.ts', titles: [title, ...groups], outcome }
}

describe('a document', () => {
  test('has a statement in each row of a table with a column for numbers', () => {
    const markdown = `## 7. API

| no. | statement | \`api.md\` |
| --- | --- | --- |
| 7.1 | The login | 1.1 |
| 7.2 | One \\| two | |

| what | value |
| --- | --- |
| 5.1 | 2 |

| no. | part | at most |
| --- | --- | --- |
| L2 | a form | 1 MiB |
`
    expect(statementsOf(markdown)).toEqual([
      LOGIN,
      { id: 'spec-7.2', text: 'One \\| two' },
      { id: 'limit-2', text: 'a form' },
    ])
  })
})

describe('a title', () => {
  test.each([
    ['a name is told @spec-7.1', ['spec-7.1']],
    ['a name is told @spec-7.1 @limit-2', ['spec-7.1', 'limit-2']],
    ['a name is told @both @spec-7.1 @quarantine-2026-01-02', ['spec-7.1']],
    ['a mistyped tag @spce7.1', ['spce7.1']],
    ['the tag @spec-7.1 is within the title', []],
    ['mail to root@host1', []],
  ])('like "%s" has its tags only at its end', (title, tags) => {
    expect(tagsOf(title)).toEqual(tags)
  })
})

describe('a statement', () => {
  const faults = (...results: TestResult[]) => faultsOfProofs([LOGIN], results)

  test('without a test that ran is reported', () => {
    expect(faults()).toEqual(['spec-7.1: no test with @spec-7.1 ran: The login'])
    expect(faults(result('a name is told'))).toHaveLength(1)
  })

  test('with a failed test is reported, also if another test passed', () => {
    const passed = result('one @spec-7.1')
    expect(faults(passed, result('two @spec-7.1', 'failed'))).toEqual([
      'spec-7.1: test/api/login.test.ts: two failed: The login',
    ])
  })

  test('is proven by a test that passed, or passed when it was repeated', () => {
    expect(faults(result('one @spec-7.1'))).toEqual([])
    expect(faults(result('one @spec-7.1', 'flaky'))).toEqual([])
  })

  test('is proven by the tests of a group with its tag', () => {
    expect(faults(result('one', 'passed', 'inner', 'the login @spec-7.1'))).toEqual([])
  })

  test('whose tests were all skipped is not reported', () => {
    expect(faults(result('one @spec-7.1', 'skipped'))).toEqual([])
  })

  test('is not proven by a failed test in quarantine, which another test makes up for', () => {
    const failed = result('one @spec-7.1 @quarantine-2026-01-02', 'failed')
    expect(faults(failed)).toHaveLength(1)
    expect(faults(failed, result('two @spec-7.1'))).toEqual([])
  })
})

test('a tag that names no statement is reported once for its group', () => {
  const tests = ['one', 'two'].map((title) => result(title, 'passed', 'the login @spec-7.9'))
  expect(faultsOfProofs([], tests)).toEqual([
    'test/api/login.test.ts: the login @spec-7.9: no statement has the tag @spec-7.9',
  ])
})

test('a number that two statements have is reported', () => {
  const faults = faultsOfProofs([FORM, { ...FORM, text: 'a zip' }], [result('one @limit-2')])
  expect(faults).toEqual(['limit-2: another statement has this number: a zip'])
})

test('the table has each statement with its tests, and their titles without tags', () => {
  const results = [
    result('a | b @spec-7.1', 'passed', 'the login @both'),
    result('<c> @spec-7.1', 'flaky'),
    result('one @limit-2', 'skipped'),
  ]
  const lines = proofTable([LOGIN, FORM, { id: 'limit-3', text: 'a zip' }], results).split('\n')
  const file = 'test/api/login.test.ts'
  expect(lines.slice(2)).toEqual([
    `| spec-7.1 | The login | passed | passed: ${file}: the login: a \\| b<br>flaky: ${file}: &lt;c> |`,
    `| limit-2 | a form | skipped on this machine | skipped: ${file}: one |`,
    '| limit-3 | a zip | no test |  |',
    '',
  ])
})

// The last stage of `npm test` checks the tests that ran. These tests find the same faults at once.
describe('the documents of the repository', () => {
  const statements = readStatements()
  const ids = statements.map(({ id }) => id)
  const tagged = taggedTitles()

  test('use each number once, in the section that it begins with', () => {
    expect(ids.filter((id) => !/^(?:spec-\d+\.\d+|limit-\d+)$/.test(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([])
    const text = readFileSync(join(REPO_ROOT, 'docs/specification.md'), 'utf8')
    const sections = text.split(/^## /m).map((section) => ({
      number: Number.parseInt(section, 10),
      ids: statementsOf(section).map(({ id }) => id),
    }))
    expect(sections.flatMap(({ ids }) => ids)).toHaveLength(
      ids.filter((id) => id.startsWith('spec-')).length,
    )
    const misplaced = sections.flatMap(({ number, ids }) =>
      ids.filter((id) => !id.startsWith(`spec-${number}.`)),
    )
    expect(misplaced).toEqual([])
  })

  test('have a test with its tag for each statement', () => {
    const proven = new Set(tagged.flatMap(({ title }) => tagsOf(title)))
    expect(statements.filter(({ id }) => !proven.has(id))).toEqual([])
  })

  test('have a statement for each tag of a test', () => {
    const wrong = tagged.flatMap(({ file, title }) =>
      tagsOf(title)
        .filter((id) => !ids.includes(id))
        .map((id) => `${file}: ${title}: ${id}`),
    )
    expect(wrong).toEqual([])
  })
})

/** The titles with tags in the sources of all tests, except in tests of the check itself, whose titles are invented. */
function taggedTitles(): { file: string; title: string }[] {
  const root = join(REPO_ROOT, 'test')
  const files = readdirSync(root, { recursive: true })
    .map(String)
    .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && !file.startsWith('scripts/check/'))
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    // A string that is the first argument of a call.
    const strings = source.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)
    return [...strings]
      .map(([, , title = '']) => ({ file, title }))
      .filter(({ title }) => tagsOf(title).length > 0)
  })
}
