/** scripts/check/reports.ts reads the reports of `bun test` and Playwright. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { nameOf, readJunit, readPlaywright } from '../../../scripts/check/reports.ts'
import { REPO_ROOT } from '../../../scripts/repo-root.ts'

test('titles, groups and outcomes are read from the report of bun test', () => {
  const xml = `<testsuites><testsuite name="a">
    <testcase name="a &lt;b&gt;&#10;c" classname="inner &gt; outer" file="test/api/x.test.ts" line="1" />
    <testcase name="two" classname="" file="test/ui/y.test.tsx"><skipped /></testcase>
    <testcase name="three" classname="" file="test/ui/y.test.tsx">
      <failure type="AssertionError" />
    </testcase></testsuite></testsuites>`
  expect(readJunit(xml)).toEqual([
    { file: 'test/api/x.test.ts', titles: ['a <b>\nc', 'inner', 'outer'], outcome: 'passed' },
    { file: 'test/ui/y.test.tsx', titles: ['two'], outcome: 'skipped' },
    { file: 'test/ui/y.test.tsx', titles: ['three'], outcome: 'failed' },
  ])
})

test('an incomplete report of bun test has no tests', () => {
  expect(readJunit('<?xml version')).toEqual([])
})

test('titles, projects, outcomes and evidence are read from the report of Playwright', () => {
  const file = 'sub/x.spec.ts'
  const error = {
    message: '\u001b[31mError\u001b[39m: expected a row',
    location: { file: join(REPO_ROOT, 'test/e2e/flows/sub/x.spec.ts'), line: 7, column: 3 },
  }
  const attachments = [{ path: join(REPO_ROOT, 'dist/e2e/x/test-failed-1.png') }]
  const failed = {
    projectName: 'page',
    status: 'unexpected',
    results: [{ errors: [error], attachments }],
  }
  const passed = {
    projectName: 'page',
    status: 'expected',
    results: [{ errors: [], attachments: [] }],
  }
  const group = { title: 'group', specs: [{ title: 'two', file, tests: [passed] }] }
  const suite = { title: file, specs: [{ title: 'one', file, tests: [failed] }], suites: [group] }
  const config = { rootDir: join(REPO_ROOT, 'test/e2e/flows') }
  const tests = readPlaywright(JSON.stringify({ config, suites: [suite] }))
  expect(tests).toEqual([
    {
      file: 'test/e2e/flows/sub/x.spec.ts',
      titles: ['one'],
      project: 'page',
      outcome: 'failed',
      evidence: {
        location: 'test/e2e/flows/sub/x.spec.ts:7',
        message: 'Error: expected a row',
        folder: 'dist/e2e/x',
      },
    },
    {
      file: 'test/e2e/flows/sub/x.spec.ts',
      titles: ['two', 'group'],
      project: 'page',
      outcome: 'passed',
    },
  ])
  expect(tests.map(nameOf)).toEqual([
    'test/e2e/flows/sub/x.spec.ts (page): one',
    'test/e2e/flows/sub/x.spec.ts (page): group: two',
  ])
})
