/**
 * `npm start -- ROOT [options]`: builds the executable if it is missing or older than its sources, and runs
 * `filemgr serve`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BUN, bootstrap, REPO_ROOT } from './bootstrap.mjs'
import { become } from './spawned.mjs'

const SOURCES = ['cli', 'server', 'ui', 'scripts', 'package.json', 'package-lock.json']
const EXECUTABLE = join(
  REPO_ROOT,
  process.platform === 'win32' ? 'dist/filemgr.exe' : 'dist/filemgr',
)

// npm runs scripts in the folder of the package, but paths on the command line are relative to the folder of the caller.
const caller = process.env.INIT_CWD ?? process.cwd()
const args = process.argv.slice(2)
const [root = '-'] = args
// If this fails, the message comes before the build and not after it.
if (!root.startsWith('-')) makeRoot(root)
await bootstrap()
if (isOutdated()) build()
become(EXECUTABLE, ['serve', ...args], caller)

/** Creates the folder that is served, if it does not exist. */
function makeRoot(path) {
  const folder = resolve(caller, path)
  if (existsSync(folder)) return
  try {
    mkdirSync(folder)
  } catch {
    console.error(`The folder ${path} does not exist and cannot be created. Name another one.`)
    process.exit(4)
  }
  console.error(`Created the folder ${path}.`)
}

function isOutdated() {
  if (!existsSync(EXECUTABLE)) return true
  const builtMs = statSync(EXECUTABLE).mtimeMs
  return SOURCES.some((source) => hasNewer(join(REPO_ROOT, source), builtMs))
}

/** Folders are compared too: the removal of a file changes only the time of its folder. */
function hasNewer(path, builtMs) {
  if (path === join(REPO_ROOT, 'ui/dist') || path.endsWith('.gen.ts')) return false
  const stats = statSync(path)
  if (stats.mtimeMs > builtMs) return true
  if (!stats.isDirectory()) return false
  return readdirSync(path).some((name) => hasNewer(join(path, name), builtMs))
}

function build() {
  const { status } = spawnSync(BUN, [join(REPO_ROOT, 'scripts/build.ts')], {
    cwd: REPO_ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
