import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { releaseCodePages } from '#server/os/code-pages.ts'

test('released code of the executable leaves the memory of the process, and runs again', () => {
  const before = codeKib()
  releaseCodePages()
  expect(codeKib()).toBeLessThan(before / 2)
})

/** The resident code of the executable. */
function codeKib(): number {
  let total = 0
  let isCode = false
  for (const line of readFileSync('/proc/self/smaps', 'latin1').split('\n')) {
    if (/^[0-9a-f]+-/.test(line)) isCode = / r-xp /.test(line) && line.endsWith(process.execPath)
    if (isCode) total += Number(/^Rss: +(\d+) kB/.exec(line)?.[1] ?? 0)
  }
  return total
}
