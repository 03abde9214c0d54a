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
