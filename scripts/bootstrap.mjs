/**
 * Installs the dependencies and the pinned Bun on a machine that has only Node and npm. It is JavaScript, because Node runs it
 * before anything is installed, also on Windows.
 *
 * Does nothing if they are installed as in package-lock.json. It may be interrupted, run again, and run twice at the same
 * time: the stamp file is written last, and the second run waits for the first.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const REPO_ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(REPO_ROOT, 'node_modules')
const STAMP = join(MODULES, '.installed-lock')
/** Not in node_modules, which `npm ci` removes. */
const LOCK = join(REPO_ROOT, 'dist/.installing')
const NPM_OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
const LOOK_EVERY_MS = 200

/** The path of the executable of Bun. */
export const BUN = join(MODULES, 'bun/bin/bun.exe')

/** Exits with a message if the dependencies cannot be installed. */
export async function bootstrap() {
  if (isInstalled() && bunRuns()) return
  mkdirSync(dirname(LOCK), { recursive: true })
  await takeLock()
  try {
    if (!isInstalled()) {
      console.error('Installing the dependencies (npm ci)')
      rmSync(STAMP, { force: true })
      run(process.execPath, [join(REPO_ROOT, 'scripts/npm-ci.mjs'), ...NPM_OPTIONS])
      writeFileSync(STAMP, lockDigest())
    }
    // npm ran no install scripts, so the install script of Bun, which downloads or copies its executable, must run now.
    if (!bunRuns()) {
      run(process.execPath, [join(MODULES, 'bun/install.js')])
      if (!bunRuns()) fail(`Bun does not run on this machine: ${BUN} --version`)
    }
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function isInstalled() {
  return readIfThere(STAMP) === lockDigest()
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(join(REPO_ROOT, 'package-lock.json')))
    .digest('hex')
}

function bunRuns() {
  return spawnSync(BUN, ['--version'], { stdio: 'ignore' }).status === 0
}

/**
 * Runs a program in the repository. What it prints goes to standard error, which leaves standard output to the caller's
 * program.
 */
function run(program, args) {
  const stdio = ['ignore', process.stderr, process.stderr]
  const { status, error } = spawnSync(program, args, { cwd: REPO_ROOT, stdio })
  if (error) fail(error.message)
  if (status !== 0) process.exit(status ?? 1)
}

/** Waits until no other process installs. The lock of a process that has ended counts as none. */
async function takeLock() {
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') fail(error.message)
    }
    if (!removeStaleLock()) await sleep(LOOK_EVERY_MS)
  }
}

/** @returns false if the holder still runs. Of two processes that remove the same lock, one gets it by the rename. */
function removeStaleLock() {
  if (isHeld(LOCK)) return false
  const taken = `${LOCK}-${process.pid}`
  try {
    renameSync(LOCK, taken)
    // Another process may have made a new lock since.
    if (isHeld(taken)) renameSync(taken, LOCK)
  } catch {
    // It is gone by now.
  }
  rmSync(taken, { force: true })
  return true
}

/** A lock without a number is being written. */
function isHeld(lock) {
  const holder = Number(readIfThere(lock) ?? '')
  return !(holder > 0) || runs(holder)
}

function runs(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
