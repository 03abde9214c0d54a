/**
 * `npm run bench [-- NAME]... [--peer URL --peer-folder PATH]`: measures the speed of the executable. Prints each
 * value with its limit, and writes tables to dist/bench.md. With names, only the benchmarks whose file names contain one.
 *
 * `--peer` names a server with the API of File Browser as `http://user:password@host:port`; `--peer-folder` is the folder
 * that it serves. The benchmarks create one folder in it, and remove it afterwards.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EXECUTABLE, mustBeBuilt, runInTerminal } from './executable.ts'
import { REPO_ROOT } from './repo-root.ts'
import { ensureChromium } from './system-packages.ts'

const FOLDER = join(REPO_ROOT, 'test/bench')

mustBeBuilt()
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { peer: { type: 'string' }, 'peer-folder': { type: 'string' } },
})
const peerEnv = {
  FILEMGR_PEER: values.peer ?? '',
  FILEMGR_PEER_FOLDER: values['peer-folder'] ?? '',
}
const names = readdirSync(FOLDER).filter(
  (name) =>
    name.endsWith('.bench.ts') &&
    (wanted.length === 0 || wanted.some((part) => name.includes(part))),
)
for (const name of names) {
  const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_CHROMIUM: ensureChromium(), ...peerEnv }
  await runInTerminal([process.execPath, join(FOLDER, name)], env)
  if (process.exitCode !== 0) break
}
