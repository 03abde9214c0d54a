/** scripts/npm-ci.mjs installs the dependencies also if the installed npm is too old, and refuses a Node that is. */
import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { REPO_ROOT } from '../support/server/executable.ts'

/** Runs the script with an npm of some version that only prints its arguments. */
function npmCi(npmVersion: string, ...nodeOptions: string[]) {
  const folder = temporaryFolder()
  const npm = join(folder.path, 'npm')
  writeFileSync(
    npm,
    `#!/bin/sh\nif [ "$1" = --version ]; then echo ${npmVersion}; else echo "$@"; fi\n`,
  )
  chmodSync(npm, 0o755)
  const script = join(REPO_ROOT, 'scripts/npm-ci.mjs')
  const PATH = `${folder.path}:${process.env.PATH ?? ''}`
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    ['node', ...nodeOptions, script, '--loglevel=error'],
    { env: { PATH } },
  )
  folder.remove()
  return [exitCode, stdout.toString(), stderr.toString()]
}

test.each([
  ['8.19.4', 'exec --yes --package=npm@10.9.4 -- npm ci --loglevel=error'],
  // The version in Debian 12 and 13, and in Ubuntu.
  ['9.2.0', 'exec --yes --package=npm@10.9.4 -- npm ci --loglevel=error'],
  ['9.3.0', 'ci --loglevel=error'],
  ['10.9.4', 'ci --loglevel=error'],
  ['11.6.0', 'ci --loglevel=error'],
])('npm %s is called with the arguments: %s', (version, args) => {
  expect(npmCi(version)).toEqual([0, `${args}\n`, ''])
})

test.each([
  ['18.20.4', true],
  ['20.18.0', true],
  ['20.19.0', false],
  ['21.7.3', true],
  ['22.11.0', true],
  ['22.12.0', false],
  ['24.0.0', false],
])('before npm may leave out parts of the build, Node %s is refused: %p', (node, isRefused) => {
  const asVersion = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${node}' })`
  const expected = isRefused
    ? [1, '', `Node ${node} is too old. Install Node 20.19, 22.12 or newer, then try again.\n`]
    : [0, 'ci --loglevel=error\n', '']
  expect(npmCi('11.6.0', '--import', asVersion)).toEqual(expected)
})
