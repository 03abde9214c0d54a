/**
 * The protocol of File Browser's clients (docs/api.md 1.16): one command line in, lines of text out, first
 * what the command wrote, then its errors, and the line is closed.
 */
import { authorize, messageOf } from './authorize.ts'
import { splitLine } from './commands.ts'
import type { Connection, Protocol, ShellSession } from './connection.ts'
import { type Running, TRUNCATIONS } from './run.ts'
import type { Shell } from './shell.ts'
import { linesOf, textOf } from './text.ts'

/** Characters in one message; a longer line comes in several. */
const MESSAGE_MAX = 16 * 1024

export class PlainProtocol implements Protocol {
  readonly #shell: Shell
  readonly #session: ShellSession
  readonly #connection: Connection
  #received = false
  #left = false
  #running: Running | undefined

  constructor(shell: Shell, session: ShellSession, line: Connection) {
    this.#shell = shell
    this.#session = session
    this.#connection = line
  }

  get busy(): boolean {
    return this.#received
  }

  /** The first message that is not blank is the command; whatever follows is not read. */
  receive(text: string): void {
    if (this.#received || text.trim() === '') return
    this.#received = true
    void this.#answer(text).finally(() => this.#connection.close())
  }

  leave(): void {
    this.#left = true
    this.#running?.stop('left')
  }

  async #answer(text: string): Promise<void> {
    try {
      const argv = splitLine(text)
      const folder = await authorize(this.#shell, this.#session, argv)
      this.#running = this.#shell.start({ argv, folder })
      if (this.#left) this.leave()
      await this.#relay(this.#running)
    } catch (error) {
      await this.#connection.send(messageOf(error))
    }
  }

  async #relay(running: Running): Promise<void> {
    // Read at once, so that a command that complains much does not wait for ever.
    const complaints = Array.fromAsync(this.#linesOf(running, 'stderr'))
    for await (const line of this.#linesOf(running, 'stdout')) await this.#connection.send(line)
    for (const line of await complaints) await this.#connection.send(line)
    const { cut } = await running.ended
    if (cut) await this.#connection.send(TRUNCATIONS[cut])
  }

  #linesOf(running: Running, from: 'stdout' | 'stderr'): AsyncIterable<string> {
    return linesOf(textOf(running.output(from)), MESSAGE_MAX)
  }
}
