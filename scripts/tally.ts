/** How many tests ran, read from what the runners write down, not from what they print. */
export interface Tally {
  passed: number
  failed: number
}

export const NOTHING: Tally = { passed: 0, failed: 0 }

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed }
}

/** `3 passed, 0 failed` */
export function formatTally({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`
}

/** The sums on the root element of `bun test --reporter=junit`. */
export function readJunit(xml: string): Tally {
  const root = /<testsuites\b[^>]*>/.exec(xml)?.[0] ?? ''
  const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(root)?.[1] ?? 0)
  const failed = count('failures') + count('errors')
  return { passed: count('tests') - failed - count('skipped'), failed }
}

/** The `stats` of Playwright's JSON reporter. A test that passed only when repeated did not pass. */
export function readPlaywright(json: string): Tally {
  // The shape is Playwright's JSONReport.
  const { stats } = JSON.parse(json) as {
    stats: { expected: number; unexpected: number; flaky: number }
  }
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}
