/** The terminal, passed in and never global, so that tests can hold it. */
import { createInterface } from 'node:readline/promises'
import { printable } from '#wire/printable.ts'

export interface Io {
  out(text: string): void
  err(text: string): void
  env: NodeJS.ProcessEnv
  /** Somebody is looking: columns are aligned. A pipe gets tabs. */
  isTerminal: boolean
  /** Everything that was piped in, without the last line break. */
  input(): Promise<string>
  /** A line the person types; undefined when nobody is there to type. */
  ask(question: string): Promise<string | undefined>
}

export function terminal(): Io {
  // A reader that has seen enough (`… | head`) is no error.
  process.stdout.on('error', (error) =>
    process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1),
  )
  return {
    out: (text) => process.stdout.write(`${process.stdout.isTTY ? linesOf(text) : text}\n`),
    err: (text) => process.stderr.write(`${linesOf(text)}\n`),
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    input: async () => (await Bun.stdin.text()).replace(/\r?\n$/, ''),
    async ask(question) {
      if (!process.stdin.isTTY) return undefined
      const reader = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return await reader.question(question)
      } finally {
        reader.close()
      }
    },
  }
}

/** Names and paths are in every text, and other people chose them. */
function linesOf(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n')
}
