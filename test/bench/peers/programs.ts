/** Command-line programs that create the same archives as the servers, and write them to a pipe. */
import { onServerCore, type Target, TREE } from './peer.ts'
import type { Usage } from './usage.ts'

interface Program {
  name: string
  target: Target
  run(root: string): Promise<Usage>
}

export const PROGRAMS: readonly Program[] = [
  {
    name: 'tar',
    target: 'tar',
    run: (root) => usageOfCommand(root, ['tar', '-cf', '-', TREE.files]),
  },
  {
    name: 'zip',
    target: 'zip',
    run: (root) => usageOfCommand(root, ['zip', '-0qr', '-', TREE.files]),
  },
  {
    name: 'pigz',
    target: 'targz',
    run: (root) => usageOfCommand(root, ['tar', '-I', 'pigz', '-cf', '-', TREE.files]),
  },
]

/** Runs a command, and reads its output to the end. @throws Error if it fails */
async function usageOfCommand(cwd: string, command: string[]): Promise<Usage> {
  const startedAt = performance.now()
  const program = Bun.spawn(onServerCore(command), { cwd, stdout: 'pipe', stderr: 'ignore' })
  for await (const _ of program.stdout);
  if ((await program.exited) !== 0) throw new Error(`${command[0]} has failed.`)
  const wallMs = performance.now() - startedAt
  // Without the peak memory: the program starts as a copy of this process, so it would be that of this process.
  const { cpuTime } = program.resourceUsage() ?? {}
  return { wallMs, ...(cpuTime && { cpuMs: Number(cpuTime.total) / 1000 }) }
}
