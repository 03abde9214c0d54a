/**
 * A part of the tests of the API, and the attacks on files, against servers with the portable storage; and a smaller one
 * against the sources as they run on macOS, since nothing here runs its executable.
 */
import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
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

const ON_MACOS = ['resources', 'names', 'trash', 'journal']

/** @returns the output of failed tests; empty if all pass */
function failures(args: string[], env: Record<string, string>): string {
  const { success, stderr } = Bun.spawnSync(
    [process.execPath, 'test', '--timeout=60000', ...args],
    { cwd: REPO_ROOT, env: { ...process.env, ...env }, stdout: 'ignore' },
  )
  return success ? '' : stderr.toString()
}

const filesOf = (names: string[]) => names.map((name) => `./test/api/${name}.test.ts`)
const PORTABLE = { [STORAGE_VARIABLE]: 'portable' }

/** Starts the sources, in which the name of the system is replaced, also in their threads. */
const AS_ON_MACOS = `#!/bin/sh
exec '${process.execPath}' --define 'process.platform:"darwin"' '${join(REPO_ROOT, 'cli/main.ts')}' "$@"
`

test('the API changes and reads files in the same way on the portable storage', () => {
  expect(failures(filesOf(FILES), PORTABLE)).toBe('')
}, 600_000)

test('attacks on files fail on the portable storage', () => {
  const args = ['./test/attacks/catalogue.test.ts', '-t', ATTACKS.join('|')]
  expect(failures(args, PORTABLE)).toBe('')
}, 600_000)

test('the API changes and reads files in the same way with the code for macOS', () => {
  const folder = temporaryFolder()
  const program = join(folder.path, 'filemgr')
  writeFileSync(program, AS_ON_MACOS)
  chmodSync(program, 0o755)
  const output = failures(filesOf(ON_MACOS), { FILEMGR_BIN: program })
  folder.remove()
  expect(output).toBe('')
}, 600_000)
