/** tuspy, the tus client of Python, from its package. It is installed once, in the folder of the installed packages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** tuspy and what it needs, in the versions that were tried. */
const PACKAGES = ['tuspy==1.1.0', 'requests==2.34.2', 'tinydb==4.9.0', 'aiohttp==3.14.5']
const FOLDER = join(import.meta.dir, '../../../node_modules/.cache/tuspy-1.1.0')
const PYTHON = join(FOLDER, 'bin/python')

/** Why this machine has no tuspy; undefined if it has. */
export const noTuspy = missing()

/** Runs a program with tuspy. @returns what it prints */
export async function runTuspy(program: string, args: readonly string[]): Promise<string> {
  const run = Bun.spawn([PYTHON, '-c', program, ...args], { stdout: 'pipe', stderr: 'pipe' })
  const [code, printed, errors] = await Promise.all([
    run.exited,
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ])
  if (code !== 0) throw new Error(errors)
  return printed.trim()
}

function missing(): string | undefined {
  if (isInstalled()) return undefined
  const commands = [
    ['python3', '-m', 'venv', FOLDER],
    [PYTHON, '-m', 'pip', 'install', '--quiet', ...PACKAGES],
  ]
  for (const command of commands) {
    if (!Bun.which(command[0] ?? '') && !existsSync(command[0] ?? '')) return 'There is no python3.'
    const { success, stderr } = Bun.spawnSync(command)
    if (!success) return `tuspy cannot be installed: ${stderr.toString().trim().split('\n').at(-1)}`
  }
  return isInstalled() ? undefined : 'tuspy cannot be installed.'
}

function isInstalled(): boolean {
  return existsSync(PYTHON) && Bun.spawnSync([PYTHON, '-c', 'import tusclient']).success
}
