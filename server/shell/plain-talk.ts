/**
 * The protocol of File Browser's clients (contract 1.16): one command line in, lines of text out, first
 * what the command wrote, then its errors, and the line is closed.
 */
import { admit, wordsOf } from './admission.ts'
import { splitLine } from './commands.ts'
import type { Line, Talk, Visit } from './line.ts'
import { CUTS, type Running } from './run.ts'
import type { Shell } from './shell.ts'
import { linesOf, textOf } from './text.ts'

/** Characters in one message; a longer line comes in several. */
const MESSAGE_MAX = 16 * 1024

export class PlainTalk implements Talk {
  readonly #shell: Shell
  readonly #visit: Visit
  readonly #line: Line
  #heard = false
  #left = false
  #running: Running | undefined

  constructor(shell: Shell, visit: Visit, line: Line) {
    this.#shell = shell
    this.#visit = visit
    this.#line = line
  }

  get busy(): boolean {
    return this.#heard
  }

  /** The first message that is not blank is the command; whatever follows is not read. */
  hear(text: string): void {
    if (this.#heard || text.trim() === '') return
    this.#heard = true
    void this.#answer(text).finally(() => this.#line.close())
  }

  leave(): void {
    this.#left = true
    this.#running?.stop('left')
  }

  async #answer(text: string): Promise<void> {
    try {
      const argv = splitLine(text)
      const workplace = await admit(this.#shell, this.#visit, argv)
      this.#running = this.#shell.start({ argv, workplace })
      if (this.#left) this.leave()
      await this.#relay(this.#running)
    } catch (error) {
      await this.#line.send(wordsOf(error))
    }
  }

  async #relay(running: Running): Promise<void> {
    // Read at once, so that a command that complains much does not wait for ever.
    const complaints = Array.fromAsync(this.#linesOf(running, 'stderr'))
    for await (const line of this.#linesOf(running, 'stdout')) await this.#line.send(line)
    for (const line of await complaints) await this.#line.send(line)
    const { cut } = await running.ended
    if (cut) await this.#line.send(CUTS[cut])
  }

  #linesOf(running: Running, from: 'stdout' | 'stderr'): AsyncIterable<string> {
    return linesOf(textOf(running.output(from)), MESSAGE_MAX)
  }
}
