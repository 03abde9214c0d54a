/** The protocol of `wire/api/shell.ts`: one program at a time, with or without a terminal. */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { ShellReply } from '#wire/api/shell.ts'
import { Fault, type FaultReason, isFault } from '#wire/fault.ts'
import { authorize, messageOf } from '../authorize.ts'
import { splitLine } from '../commands.ts'
import type { Connection, Protocol, ShellSession } from '../connection.ts'
import { END_REASONS, type RunningProgram } from '../run.ts'
import type { Shell } from '../shell.ts'
import { Terminal } from '../terminal.ts'
import { decodeText } from '../text.ts'
import { type Request, shellRequest } from './request.ts'

type RunRequest = Extract<Request, { type: 'run' }>

export class FramedProtocol implements Protocol {
  readonly #shell: Shell
  readonly #session: ShellSession
  readonly #connection: Connection
  /** Requests are handled in order, so that input reaches the right program. */
  #queue: Promise<void> = Promise.resolve()
  /** How many requests wait, and their characters. */
  #waiting = { messages: 0, chars: 0 }
  #hasLeft = false
  #running: RunningProgram | undefined
  #terminal: Terminal | undefined

  constructor(shell: Shell, session: ShellSession, connection: Connection) {
    this.#shell = shell
    this.#session = session
    this.#connection = connection
  }

  get isBusy(): boolean {
    return this.#running !== undefined || this.#waiting.messages > 0
  }

  receive(text: string): void {
    if (this.#hasLeft) return
    this.#count(text, 1)
    const { messages, chars } = this.#waiting
    if (messages > SERVER_LIMITS.socketWaitingMax || chars > SERVER_LIMITS.socketWaitingMaxChars) {
      this.closed()
      this.#connection.close('Too many messages wait for their turn.')
      return
    }
    this.#queue = this.#queue.then(async () => {
      this.#count(text, -1)
      if (!this.#hasLeft) await this.#handle(text)
    })
  }

  closed(): void {
    this.#hasLeft = true
    this.#running?.stop('left')
  }

  #count(text: string, by: 1 | -1): void {
    this.#waiting.messages += by
    this.#waiting.chars += by * text.length
  }

  async #handle(text: string): Promise<void> {
    try {
      const request = requestIn(text)
      if (request.type === 'run') await this.#run(request)
      else this.#forward(request)
    } catch (error) {
      this.#refuse(messageOf(error), isFault(error) ? error.reason : undefined)
    }
  }

  #forward(request: Exclude<Request, RunRequest>): void {
    if (request.type === 'input') (this.#terminal ?? this.#running)?.write(request.data)
    else if (request.type === 'end') this.#running?.endInput()
    else if (request.type === 'resize') this.#terminal?.resize(request)
    else this.#running?.signal(request.signal)
  }

  /** @throws Fault conflict (a command is running), badRequest, forbidden, and errors of opening the folder */
  async #run({ line, terminal, cols, rows }: RunRequest): Promise<void> {
    if (this.#running) throw new Fault('conflict', 'A command is already running.')
    const words = splitLine(line)
    const argv = terminal && words.length === 0 ? this.#session.shell() : words
    const folder = await authorize(this.#shell, this.#session, argv)
    const program = { argv, folder }
    if (terminal) {
      this.#terminal = new Terminal(this.#shell, program, { cols, rows }, this.#connection)
      this.#running = this.#terminal.running
    } else {
      this.#running = this.#shell.start({ ...program, input: true })
    }
    if (this.#hasLeft) this.closed()
    // `#follow` reports the end; the next request must not wait for it.
    void this.#follow(this.#running)
  }

  /** Sends the output of a program, and its exit code when it has ended. */
  async #follow(running: RunningProgram): Promise<void> {
    await Promise.all([this.#relay(running, 'stdout'), this.#relay(running, 'stderr')])
    const { code, signal, endReason } = await running.ended
    this.#running = undefined
    this.#terminal = undefined
    if (endReason) this.#refuse(END_REASONS[endReason])
    this.#send({ type: 'exit', code, ...(signal === undefined ? {} : { signal }) })
  }

  async #relay(running: RunningProgram, type: 'stdout' | 'stderr'): Promise<void> {
    for await (const data of decodeText(running.output(type))) await this.#send({ type, data })
  }

  #refuse(message: string, reason?: FaultReason): void {
    this.#send({ type: 'error', message, ...(reason && { reason }) })
  }

  #send(reply: ShellReply): Promise<void> {
    return this.#connection.send(JSON.stringify(reply))
  }
}

/** @throws Fault badRequest (not a request of `shellRequest`) */
function requestIn(text: string): Request {
  try {
    return shellRequest.parse(JSON.parse(text))
  } catch (cause) {
    throw new Fault('badRequest', 'The shell does not understand this request.', { cause })
  }
}
