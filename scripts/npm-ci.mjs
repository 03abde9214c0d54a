/**
 * `npm ci` with more arguments.
 *
 * npm leaves out optional packages, and says nothing, if the version of Node is not one that they name. Among them are parts
 * of the build for this system, so such a version is refused.
 *
 * npm before 9.3 cannot read an override that names another package (package.json). Debian and Ubuntu have such a version.
 * There, a newer npm runs instead. npm downloads it to its cache, and does not install it.
 */
import { spawnSync } from 'node:child_process'

const NEWER = 'npm@10.9.4'
/** The first usable minor versions of two major versions of Node, as Vite names them. Later major versions are usable. */
const FIRST_MINOR = { 20: 19, 22: 12 }

const [major, minor] = process.versions.node.split('.').map(Number)
if (major <= 22 && !(minor >= FIRST_MINOR[major])) {
  console.error(
    `Node ${process.versions.node} is too old. Install Node 20.19, 22.12 or newer, then try again.`,
  )
  process.exit(1)
}

// On Windows, npm is a script of the shell. No argument is of a user.
const shell = process.platform === 'win32'
const { stdout = '' } = spawnSync('npm', ['--version'], { encoding: 'utf8', shell })
const isOld = /^(?:[0-8]\.|9\.[0-2]\.)/.test(stdout)
const command = isOld ? ['exec', '--yes', `--package=${NEWER}`, '--', 'npm', 'ci'] : ['ci']
const { status, error } = spawnSync('npm', [...command, ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell,
})
if (error) console.error(error.message)
process.exit(status ?? 1)
