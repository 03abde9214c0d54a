/** The terminal, passed as a parameter so that tests can replace it. */

import { printable } from '#server/lib/printable.ts'
import { Fault } from '#wire/fault.ts'
import { readHidden } from './hidden-line.ts'

export interface Io {
  /** The arguments, before they are parsed. */
  args: readonly string[]
  out(text: string): void
  err(text: string): void
  env: NodeJS.ProcessEnv
  /** Whether the output is a terminal. Columns are aligned then, and separated by tabs otherwise. */
  isTerminal: boolean
  /** Whether the program is run from a terminal, so that it ends when the terminal is closed. */
  hasTerminal: boolean
  /** The piped input without the last newline. */
  input(): Promise<string>
  /**
   * Asks for a new password: twice on a terminal without echo; otherwise it is the piped input.
   *
   * @throws Fault badRequest (the two differ), aborted (the user cancels)
   */
  newPassword(): Promise<string>
}

/** Lets a server continue after the reader of its output, such as a log collector, has ended. */
export function continueWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => undefined)
  }
}

export function processIo(): Io {
  // A pipe that is closed early (`… | head`) is no error.
  process.stdout.on('error', (error) =>
    process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1),
  )
  return {
    args: process.argv.slice(2),
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
      if ((await read('Repeat the password: ')) === password) return password
      throw new Fault('badRequest', 'The two passwords are not the same. Nothing was changed.')
    },
  }
}

/** Names and paths in messages are chosen by other users, so they are sanitised. */
function linesOf(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n')
}
