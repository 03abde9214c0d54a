/** `npm run bench [-- NAME]...`: how fast it is. Prints each figure beside what it may be. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE, execAndExit, mustBeBuilt } from './executable.ts'
import { REPO_ROOT } from './repo-root.ts'
import { ensureChromium } from './system-packages.ts'

const FOLDER = join(REPO_ROOT, 'test/bench')

mustBeBuilt()
const wanted = process.argv.slice(2)
const names = readdirSync(FOLDER).filter(
  (name) =>
    name.endsWith('.bench.ts') &&
    (wanted.length === 0 || wanted.some((word) => name.includes(word))),
)
for (const name of names) {
  const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_CHROMIUM: ensureChromium() }
  await execAndExit([process.execPath, join(FOLDER, name)], env)
  if (process.exitCode !== 0) break
}
