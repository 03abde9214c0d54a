/** Waits for the output of a running process. */
import type { ChildProcess } from 'node:child_process'

export interface Printed {
  /** The output so far, of both streams. */
  all(): string
  /**
   * Waits for the pattern, which may already be in the output.
   *
   * @returns its first group, if it has one
   */
  first(pattern: RegExp): Promise<string>
}

/** @throws (from `first`) Error with the output, if the process ends before the pattern occurs */
export function printedBy(child: ChildProcess): Printed {
  let all = ''
  const waiting = new Set<() => void>()
  const append = (text: string) => {
    all += text
    for (const look of waiting) look()
  }
  child.stdout?.setEncoding('utf8').on('data', append)
  child.stderr?.setEncoding('utf8').on('data', append)

  /** Waits for the pattern and resolves to its first group. */
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
      child.on('close', (code) => fail(new Error(`The process ended with ${code}.\n${all}`)))
      look()
    })
  return { first, all: () => all }
}
