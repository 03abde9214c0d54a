/**
 * The numbers of passed and failed tests. They come from the report files of the runners, because printed output has
 * no stable format.
 */
export interface TestCounts {
  passed: number
  failed: number
}

export const NO_TESTS: TestCounts = { passed: 0, failed: 0 }

export function add(a: TestCounts, b: TestCounts): TestCounts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed }
}

/** `3 passed, 0 failed` */
export function formatCounts({ passed, failed }: TestCounts): string {
  return `${passed} passed, ${failed} failed`
}

/** The sums on the root element of `bun test --reporter=junit`. */
export function readJunit(xml: string): TestCounts {
  const root = /<testsuites\b[^>]*>/.exec(xml)?.[0] ?? ''
  const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(root)?.[1] ?? 0)
  const failed = count('failures') + count('errors')
  return { passed: count('tests') - failed - count('skipped'), failed }
}

/** The `stats` of Playwright's JSON reporter. A test that passed only when repeated did not pass. */
export function readPlaywright(json: string): TestCounts {
  // The shape is Playwright's JSONReport.
  const { stats } = JSON.parse(json) as {
    stats: { expected: number; unexpected: number; flaky: number }
  }
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}
