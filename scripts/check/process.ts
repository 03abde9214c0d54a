/** Runs the programs of the check, and ends them with it. */
import { REPO_ROOT } from '../repo-root.ts'

export interface Finished {
  /** 0 if it succeeded; 128 and more if a signal ended it. */
  code: number
  /** Both streams. */
  output: string
}

const running = new Set<Bun.Subprocess>()

/** Runs a program at the top of the repository to its end. It has a process group of its own (`endPrograms`). */
export async function run(args: string[], env: Record<string, string> = {}): Promise<Finished> {
  const child = Bun.spawn(args, {
    cwd: REPO_ROOT,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  running.add(child)
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  running.delete(child)
  const code = child.exitCode ?? 128 + Number(child.signalCode !== null)
  return { code, output: `${out}${err}`.trim() }
}

/** Ends all running programs, with the programs that they started. */
export function endPrograms(): void {
  for (const { pid } of running) {
    try {
      process.kill(-pid, 'SIGTERM')
    } catch {
      // It has ended in the meantime.
    }
  }
}
