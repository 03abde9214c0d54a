/** What a process prints while it runs. */
import type { ChildProcess } from 'node:child_process'

export interface Printed {
  /** Everything so far, on both streams. */
  all(): string
  /** Waits for the pattern, which may have come already. @returns its first group, if it has one. */
  first(pattern: RegExp): Promise<string>
}

/** @throws (from `first`) Error with all it printed, when the process ends before the pattern comes. */
export function printedBy(child: ChildProcess): Printed {
  let all = ''
  const waiting = new Set<() => void>()
  const take = (text: string) => {
    all += text
    for (const look of waiting) look()
  }
  child.stdout?.setEncoding('utf8').on('data', take)
  child.stderr?.setEncoding('utf8').on('data', take)

  /** Waits for the pattern; resolves to its first group. */
  const first = (pattern: RegExp) =>
    new Promise<string>((found, fail) => {
      const look = () => {
        const match = pattern.exec(all)
        if (!match) return
        waiting.delete(look)
        found(match[1] ?? match[0])
      }
      waiting.add(look)
      child.on('error', fail)
      child.on('close', (code) => fail(new Error(`It ended with ${code}.\n${all}`)))
      look()
    })
  return { first, all: () => all }
}
