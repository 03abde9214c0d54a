/** The terminal, passed in and never global, so that tests can hold it. */
import { createInterface } from 'node:readline/promises'
import { Fault } from '#wire/fault.ts'
import { printable } from '#wire/printable.ts'
import { readHidden } from './hidden-line.ts'

export interface Io {
  out(text: string): void
  err(text: string): void
  env: NodeJS.ProcessEnv
  /** Somebody is looking: columns are aligned. A pipe gets tabs. */
  isTerminal: boolean
  /** The program belongs to a terminal, and ends with it. */
  hasTerminal: boolean
  /** Everything that was piped in, without the last line break. */
  input(): Promise<string>
  /**
   * A new password: typed twice on a terminal without being shown, else what was piped in.
   *
   * @throws Fault badRequest when the two differ, aborted
   */
  newPassword(): Promise<string>
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
    hasTerminal: process.stdout.isTTY === true || process.stdin.isTTY === true,
    input: async () => (await Bun.stdin.text()).replace(/\r?\n$/, ''),
    async newPassword() {
      if (!process.stdin.isTTY) return this.input()
      const read = (question: string) => readHidden(process.stdin, process.stderr, question)
      const password = await read('New password: ')
      if ((await read('Once more: ')) === password) return password
      throw new Fault('badRequest', 'The two passwords differ. Nothing was changed.')
    },
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
