/** The built executable, for scripts that use it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'

export const EXECUTABLE = join(REPO_ROOT, 'dist/filemgr')

/** Ends the script with a message if the executable is missing. */
export function mustBeBuilt(): void {
  if (existsSync(EXECUTABLE)) return
  console.error('There is no dist/filemgr. Run `npm run build` first.')
  process.exit(1)
}

/**
 * A count from the command line. Ends the script with a message if the word is none.
 *
 * @param unit what is counted, for the message
 */
export function countOf(word: string, unit: string): number {
  if (/^[1-9]\d{0,5}$/.test(word)) return Number(word)
  console.error(`"${word}" is not a number of ${unit}.`)
  process.exit(2)
}

/** Runs a program in this terminal, and makes its exit code that of the script. */
export async function runInTerminal(
  args: string[],
  env: Record<string, string> = {},
): Promise<void> {
  const child = Bun.spawn(args, {
    cwd: REPO_ROOT,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  process.exitCode = await child.exited
}
