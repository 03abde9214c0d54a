/** A part of the tests of the API, and the attacks on files, against servers with the portable storage. */
import { expect, test } from 'bun:test'
import { REPO_ROOT, STORAGE_VARIABLE } from '../support/server/executable.ts'

const FILES = [
  'resources',
  'names',
  'trash',
  'journal',
  'replaced-links',
  'outside-changes',
  'ranges',
]
const ATTACKS = [
  'Path traversal',
  'Links and races',
  'Server files in the served folder',
  'Mounted file systems',
  'Trash and earlier versions',
]

/** @returns the output of failed tests; empty if all pass */
function failures(...args: string[]): string {
  const { success, stderr } = Bun.spawnSync(
    [process.execPath, 'test', '--timeout=60000', ...args],
    {
      cwd: REPO_ROOT,
      env: { ...process.env, [STORAGE_VARIABLE]: 'portable' },
      stdout: 'ignore',
    },
  )
  return success ? '' : stderr.toString()
}

test('the API changes and reads files in the same way on the portable storage', () => {
  expect(failures(...FILES.map((name) => `./test/api/${name}.test.ts`))).toBe('')
}, 600_000)

test('attacks on files fail on the portable storage', () => {
  expect(failures('./test/attacks/catalogue.test.ts', '-t', ATTACKS.join('|'))).toBe('')
}, 600_000)
