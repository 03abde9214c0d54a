/** The system calls of a running server, recorded with strace, if this machine allows it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'

/** Whether this machine allows one process to trace another; a container may not. */
export async function mayTrace(): Promise<boolean> {
  const sleeper = Bun.spawn(['sleep', '60'])
  try {
    const tracer = Bun.spawn(['strace', '-p', String(sleeper.pid)], { stderr: 'pipe' })
    return await attached(tracer.stderr).then(
      () => true,
      () => false,
    )
  } catch {
    // strace is not installed.
    return false
  } finally {
    // strace ends with the traced process.
    sleeper.kill()
    await sleeper.exited
  }
}

/** A system call, with the line numbers of the trace where it began and ended. */
export interface TracedCall {
  /** `PID call(arguments) = result` */
  line: string
  began: number
  ended: number
}

/**
 * Attaches strace to a process and its threads.
 *
 * @param args more arguments of strace: which calls, and their injected results
 * @returns a function that detaches it and returns the traced calls
 */
export async function trace(pid: number, args: string[]): Promise<() => Promise<TracedCall[]>> {
  const folder = temporaryFolder()
  const output = join(folder.path, 'trace')
  const tracer = Bun.spawn(['strace', '-f', '-p', String(pid), '-o', output, ...args], {
    stderr: 'pipe',
  })
  await attached(tracer.stderr)
  return async () => {
    tracer.kill('SIGINT')
    await tracer.exited
    const lines = readFileSync(output, 'utf8').split('\n')
    folder.remove()
    return wholeCalls(lines)
  }
}

/** @throws Error if strace ends before it has attached */
async function attached(messages: ReadableStream<Uint8Array>): Promise<void> {
  const reader = messages.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('attached')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(text)
    text += decoder.decode(value, { stream: true })
  }
  reader.releaseLock()
}

/**
 * A call that is interrupted by a call of another thread has two lines, its beginning (`call(1 <unfinished ...>`) and
 * its end (`<... call resumed>) = 0`).
 */
function wholeCalls(lines: string[]): TracedCall[] {
  const calls: TracedCall[] = []
  const begun = new Map<string, { text: string; at: number }>()
  for (const [at, line] of lines.entries()) {
    const thread = /^\d+/.exec(line)?.[0] ?? ''
    const [, beginning] = /^(.*?) *<unfinished \.\.\.>$/.exec(line) ?? []
    const [, end] = /^\d+ +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? []
    const earlier = begun.get(thread)
    if (beginning !== undefined) begun.set(thread, { text: beginning, at })
    else if (end === undefined) calls.push({ line, began: at, ended: at })
    else if (earlier) calls.push({ line: earlier.text + end, began: earlier.at, ended: at })
  }
  return calls
}
