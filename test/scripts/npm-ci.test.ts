/** scripts/npm-ci.mjs installs the dependencies also if the installed npm is too old. */
import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { REPO_ROOT } from '../support/server/executable.ts'

test.each([
  ['8.19.4', 'exec --yes --package=npm@10.9.4 -- npm ci --loglevel=error'],
  // The version in Debian 12 and 13, and in Ubuntu.
  ['9.2.0', 'exec --yes --package=npm@10.9.4 -- npm ci --loglevel=error'],
  ['9.3.0', 'ci --loglevel=error'],
  ['10.9.4', 'ci --loglevel=error'],
  ['11.6.0', 'ci --loglevel=error'],
])('npm %s is called with the arguments: %s', (version, args) => {
  const folder = temporaryFolder()
  const npm = join(folder.path, 'npm')
  writeFileSync(
    npm,
    `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "$@"; fi\n`,
  )
  chmodSync(npm, 0o755)
  const command = ['node', join(REPO_ROOT, 'scripts/npm-ci.mjs'), '--loglevel=error']
  const PATH = `${folder.path}:${process.env.PATH ?? ''}`
  const { stdout, exitCode } = Bun.spawnSync(command, { env: { PATH } })
  expect([exitCode, stdout.toString()]).toEqual([0, `${args}\n`])
  folder.remove()
})
