/** scripts/tally.ts counts passed and failed tests in the reports of the test runners. */
import { expect, test } from 'bun:test'
import { add, formatCounts, readJunit, readPlaywright } from '../../scripts/tally.ts'

test('skipped tests of bun test are not counted', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="16" assertions="15" failures="2" skipped="3" time="0.06">
  <testsuite name="a" tests="16" assertions="15" failures="2" skipped="3"></testsuite>
</testsuites>`
  expect(readJunit(xml)).toEqual({ passed: 11, failed: 2 })
})

test('an incomplete report of bun test counts no tests', () => {
  expect(readJunit('<?xml version')).toEqual({ passed: 0, failed: 0 })
})

test('a Playwright test that passed only when it was repeated counts as failed', () => {
  const json = JSON.stringify({ stats: { expected: 7, unexpected: 1, flaky: 2, skipped: 4 } })
  expect(readPlaywright(json)).toEqual({ passed: 7, failed: 3 })
})

test('the last line of npm test has the numbers of passed and failed tests', () => {
  const sum = add({ passed: 3, failed: 0 }, { passed: 4, failed: 1 })
  expect(formatCounts(sum)).toBe('7 passed, 1 failed')
})
