/** Command-line programs that create the same archives, and write them to a pipe. */
import { onServerCore, type Target, TREE } from './peer.ts'
import type { Usage } from './usage.ts'

interface Program {
  name: string
  target: Target
  run(root: string): Promise<Usage>
}

export const PROGRAMS: readonly Program[] = [
  { name: 'tar', target: 'tar', run: (root) => drained(root, ['tar', '-cf', '-', TREE.files]) },
  { name: 'zip', target: 'zip', run: (root) => drained(root, ['zip', '-0qr', '-', TREE.files]) },
  {
    name: 'pigz',
    target: 'targz',
    run: (root) => drained(root, ['tar', '-I', 'pigz', '-cf', '-', TREE.files]),
  },
]

/** @throws Error if the program fails */
async function drained(cwd: string, command: string[]): Promise<Usage> {
  const startedAt = performance.now()
  const program = Bun.spawn(onServerCore(command), { cwd, stdout: 'pipe', stderr: 'ignore' })
  for await (const _ of program.stdout);
  if ((await program.exited) !== 0) throw new Error(`${command[0]} has failed.`)
  const wallMs = performance.now() - startedAt
  // The peak memory is that of this process, because the program starts as its copy.
  const { cpuTime } = program.resourceUsage() ?? {}
  return { wallMs, ...(cpuTime && { cpuMs: Number(cpuTime.total) / 1000 }) }
}
