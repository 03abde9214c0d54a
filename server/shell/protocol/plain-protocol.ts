/**
 * The protocol of File Browser's clients (docs/api.md 1.16): the client sends one command line, the server sends its
 * stdout and then its stderr as lines, and closes the connection.
 */
import { authorize, messageOf } from '../authorize.ts'
import { splitLine } from '../commands.ts'
import type { Connection, Protocol, ShellSession } from '../connection.ts'
import { END_REASONS, type RunningProgram } from '../run.ts'
import type { Shell } from '../shell.ts'
import { decodeText, linesOf } from '../text.ts'

/** Characters in one message; longer lines are split. */
const MESSAGE_MAX = 16 * 1024

export class PlainProtocol implements Protocol {
  readonly #shell: Shell
  readonly #session: ShellSession
  readonly #connection: Connection
  #hasReceived = false
  #hasLeft = false
  #running: RunningProgram | undefined

  constructor(shell: Shell, session: ShellSession, connection: Connection) {
    this.#shell = shell
    this.#session = session
    this.#connection = connection
  }

  get isBusy(): boolean {
    return this.#hasReceived
  }

  /** The first message that is not blank is the command; later ones are ignored. */
  receive(text: string): void {
    if (this.#hasReceived || text.trim() === '') return
    this.#hasReceived = true
    void this.#runLine(text).finally(() => this.#connection.close())
  }

  closed(): void {
    this.#hasLeft = true
    this.#running?.stop('left')
  }

  async #runLine(text: string): Promise<void> {
    try {
      const argv = splitLine(text)
      const folder = await authorize(this.#shell, this.#session, argv)
      this.#running = this.#shell.start({ argv, folder })
      if (this.#hasLeft) this.closed()
      await this.#relay(this.#running)
    } catch (error) {
      await this.#connection.send(messageOf(error))
    }
  }

  async #relay(running: RunningProgram): Promise<void> {
    // Read in parallel, so that a command with much stderr does not block.
    const errorLines = Array.fromAsync(this.#linesOf(running, 'stderr'))
    for await (const line of this.#linesOf(running, 'stdout')) await this.#connection.send(line)
    for (const line of await errorLines) await this.#connection.send(line)
    const { endReason } = await running.ended
    if (endReason) await this.#connection.send(END_REASONS[endReason])
  }

  #linesOf(running: RunningProgram, from: 'stdout' | 'stderr'): AsyncIterable<string> {
    return linesOf(decodeText(running.output(from)), MESSAGE_MAX)
  }
}
