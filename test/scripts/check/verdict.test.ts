/** scripts/check/verdict.ts: which failures a second run excuses, and what the check prints about them. */
import { expect, test } from 'bun:test'
import type { Outcome, TestResult } from '../../../scripts/check/reports.ts'
import { closingLines, flakyReport, verdictOf } from '../../../scripts/check/verdict.ts'

const FILE = 'test/api/a.test.ts'
const result = (title: string, outcome: Outcome): TestResult => ({
  file: FILE,
  titles: [title],
  outcome,
})

test('a test that passes when it runs again is flaky, and the check succeeds', () => {
  const verdict = verdictOf(
    [result('one', 'passed'), result('two', 'failed')],
    [result('one', 'passed'), result('two', 'passed')],
  )
  expect(verdict).toMatchObject({ passed: 2, failed: [], isGreen: true })
  expect(closingLines(verdict)).toEqual([`flaky: 1: ${FILE}: two`, '2 passed, 0 failed'])
})

test('a test that fails twice, or did not run again, fails the check', () => {
  const first = [result('one', 'failed'), result('two', 'failed'), result('three', 'passed')]
  const verdict = verdictOf(first, [result('one', 'failed')])
  expect(verdict).toMatchObject({ passed: 1, flaky: [], isGreen: false })
  expect(closingLines(verdict)).toEqual([
    `failed: 2: ${FILE}: one`,
    `        ${FILE}: two`,
    '1 passed, 2 failed',
  ])
})

test('a test that fails only when its file runs again is flaky', () => {
  const first = [result('one', 'failed'), result('two', 'passed')]
  const verdict = verdictOf(first, [result('one', 'passed'), result('two', 'failed')])
  expect(verdict.flaky.map(({ titles }) => titles[0])).toEqual(['one', 'two'])
})

test('a test that ran only in the second run counts', () => {
  const hook = (outcome: Outcome) => result('(unnamed)', outcome)
  const second = [hook('passed'), result('one', 'passed'), result('two', 'failed')]
  const verdict = verdictOf([hook('failed')], second)
  expect(verdict).toMatchObject({ passed: 2, isGreen: false })
  expect(verdict.failed.map(({ titles }) => titles[0])).toEqual(['two'])
})

test('two flaky tests are accepted, and three fail the check', () => {
  const names = ['one', 'two', 'three']
  const verdictFor = (count: number) =>
    verdictOf(
      names.slice(0, count).map((name) => result(name, 'failed')),
      names.slice(0, count).map((name) => result(name, 'passed')),
    )
  expect(verdictFor(2).isGreen).toBe(true)
  expect(verdictFor(3).isGreen).toBe(false)
  expect(closingLines(verdictFor(3))[0]).toBe(`flaky: 3; at most 2 are accepted: ${FILE}: one`)
})

test('a test in quarantine fails no check, is named, and counts neither as passed nor as failed', () => {
  const title = 'one @quarantine-2026-11-28'
  const verdict = verdictOf([result(title, 'failed')], [result(title, 'failed')])
  expect(verdict).toMatchObject({ passed: 0, failed: [], flaky: [], isGreen: true })
  expect(closingLines(verdict)).toEqual([
    `quarantined and failed: 1: ${FILE}: ${title}`,
    '0 passed, 0 failed',
  ])
})

test('the same test in two projects of Playwright is two tests', () => {
  const inProject = (project: string, outcome: Outcome) => ({ ...result('one', outcome), project })
  const first = [inProject('a', 'failed'), inProject('b', 'failed')]
  const verdict = verdictOf(first, [inProject('a', 'passed'), inProject('b', 'failed')])
  expect(verdict.flaky).toHaveLength(1)
  expect(verdict.failed.map(({ project }) => project)).toEqual(['b'])
})

test('a failed browser test is printed with its assertion and its folder', () => {
  const evidence = { location: 'test/e2e/flows/a.spec.ts:12', message: 'no', folder: 'dist/e2e/a' }
  const verdict = verdictOf([{ ...result('one', 'failed'), evidence }], [])
  expect(closingLines(verdict)[0]).toBe(
    `failed: 1: ${FILE}: one\n    at test/e2e/flows/a.spec.ts:12\n    see dist/e2e/a`,
  )
})

test('a flaky test keeps the error of the run that failed, and the folder of both', () => {
  const failure = { location: 'a.spec.ts:3', message: 'was not visible', folder: 'dist/e2e/a' }
  const first = [{ ...result('one', 'failed'), evidence: failure }]
  const trace = { location: '', message: '', folder: 'dist/e2e/a' }
  const { flaky } = verdictOf(first, [{ ...result('one', 'passed'), evidence: trace }])
  expect(JSON.parse(flakyReport(flaky))).toEqual([{ name: `${FILE}: one`, ...failure }])
})
