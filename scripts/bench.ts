/**
 * `npm run bench [-- NAME]... [--peer URL --peer-folder PATH]`: how fast it is. Prints each figure beside what it may be,
 * and writes tables to dist/bench.md.
 *
 * `--peer` names a server with File Browser's API as `http://user:password@host:port`; `--peer-folder` is the folder that
 * it serves, in which a folder of the bench's own is made and removed again.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EXECUTABLE, execAndExit, mustBeBuilt } from './executable.ts'
import { REPO_ROOT } from './repo-root.ts'
import { ensureChromium } from './system-packages.ts'

const FOLDER = join(REPO_ROOT, 'test/bench')

mustBeBuilt()
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { peer: { type: 'string' }, 'peer-folder': { type: 'string' } },
})
const given = { FILEMGR_PEER: values.peer ?? '', FILEMGR_PEER_FOLDER: values['peer-folder'] ?? '' }
const names = readdirSync(FOLDER).filter(
  (name) =>
    name.endsWith('.bench.ts') &&
    (wanted.length === 0 || wanted.some((word) => name.includes(word))),
)
for (const name of names) {
  const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_CHROMIUM: ensureChromium(), ...given }
  await execAndExit([process.execPath, join(FOLDER, name)], env)
  if (process.exitCode !== 0) break
}
