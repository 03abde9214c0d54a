/** Runs a program in the place of this one. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** How often it is looked whether the shell of npm still runs. */
const LOOK_EVERY_MS = 200

/**
 * Runs a program with the input and output of this process, passes signals on to it, and exits with its exit code.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
export function become(program, args, cwd = process.cwd()) {
  const child = spawn(program, args, { cwd, stdio: 'inherit' })
  // Ctrl-C in a terminal reaches the child too, so this process only waits for it.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  endWithShell(child)
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

/** npm passes signals on to its shell only, and not each shell runs its command in its own place. */
function endWithShell(child) {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, LOOK_EVERY_MS)
  timer.unref()
}
