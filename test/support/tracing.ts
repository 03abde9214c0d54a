/** The system calls of a running server, as strace sees them, where this machine lets it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './tree.ts'

/** Whether this machine lets one process trace another; a container may not. */
export async function mayTrace(): Promise<boolean> {
  const sleeper = Bun.spawn(['sleep', '60'])
  const attached = Bun.spawnSync(['timeout', '1', 'strace', '-p', String(sleeper.pid)])
  sleeper.kill()
  await sleeper.exited
  return attached.stderr.toString().includes('attached')
}

/**
 * Attaches strace to a process and its threads.
 *
 * @param words more words for strace: which calls, and what happens to them
 * @returns ends it, and gives a line for each call, in the order in which they ended
 */
export async function trace(pid: number, words: string[]): Promise<() => Promise<string[]>> {
  const folder = temporaryFolder()
  const output = join(folder.path, 'trace')
  const tracer = Bun.spawn(['strace', '-f', '-p', String(pid), '-o', output, ...words], {
    stderr: 'pipe',
  })
  const reader = tracer.stderr.getReader()
  while (!new TextDecoder().decode((await reader.read()).value).includes('attached'));
  return async () => {
    tracer.kill('SIGINT')
    await tracer.exited
    const lines = readFileSync(output, 'utf8').split('\n')
    folder.remove()
    return wholeCalls(lines)
  }
}

/** strace cuts a call in two when another thread makes one meanwhile. */
function wholeCalls(lines: string[]): string[] {
  const begun = new Map<string, string>()
  return lines.flatMap((line) => {
    const [, thread = '', beginning] = /^(\d+) +(.*) <unfinished \.\.\.>$/.exec(line) ?? []
    if (beginning !== undefined) {
      begun.set(thread, beginning)
      return []
    }
    const [, same = '', rest] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? []
    return rest === undefined ? [line] : [`${same} ${begun.get(same) ?? ''}${rest}`]
  })
}
