/** Scripts that take a number refuse other words, before they run for long. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'

test.each([
  ['faults', '--help', '"--help" is not a number of kills.'],
  ['faults', '0', '"0" is not a number of kills.'],
  ['faults', 'cluster --rounds many', '"many" is not a number of rounds.'],
  ['soak', 'long', '"long" is not a number of minutes.'],
])('npm run %s -- %s ends with a message', (name, words, message) => {
  const script = join(REPO_ROOT, `scripts/${name}.ts`)
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, ...words.split(' ')])
  expect([exitCode, stderr.toString()]).toEqual([2, `${message}\n`])
})
