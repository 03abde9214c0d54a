/**
 * An interactive terminal with the isolation of other commands.
 *
 * It starts only a program of the user's list, by its exact name. That program can start others within the isolation:
 * a user with `sh` can run everything that is installed.
 */

import type { Connection } from './connection.ts'
import type { ProgramSpec } from './program.ts'
import type { RunningProgram } from './run.ts'
import type { Shell } from './shell.ts'

/** Unsent bytes at which the program is paused, and at which it is ended. */
const PAUSE_AT_BYTES = 256 * 1024
const GIVE_UP_AT_BYTES = 1024 * 1024
/** Termios flag: the terminal handles XON and XOFF. */
const IXON = 0o2000
const HOLD_KEY = '\x13'
const GO_ON_KEY = '\x11'

export interface TerminalSize {
  cols: number
  rows: number
}

export class Terminal {
  readonly #running: RunningProgram
  readonly #connection: Connection
  readonly #idleMs: number
  readonly #decoder = new TextDecoder()
  #idle: Timer
  /** Whether the output is paused. */
  #held = false

  /** @throws Fault as `Shell.start` */
  constructor(shell: Shell, program: ProgramSpec, size: TerminalSize, connection: Connection) {
    this.#connection = connection
    this.#idleMs = shell.idleMs
    const output = (bytes: Uint8Array) => this.#show(bytes)
    this.#running = shell.start({ ...program, terminal: { ...size, output } })
    this.#idle = this.#whenIdle()
    void this.#running.ended.finally(() => clearTimeout(this.#idle))
  }

  get running(): RunningProgram {
    return this.#running
  }

  write(data: string): void {
    this.#stir()
    this.#running.write(data)
  }

  resize({ cols, rows }: TerminalSize): void {
    const { terminal } = this.#running
    if (terminal && !terminal.closed) terminal.resize(cols, rows)
  }

  #show(bytes: Uint8Array): void {
    this.#stir()
    const data = this.#decoder.decode(bytes, { stream: true })
    const sent = this.#connection.send(JSON.stringify({ type: 'output', data }))
    const backlog = this.#connection.backlog()
    if (backlog > GIVE_UP_AT_BYTES) this.#running.stop('left')
    else if (backlog > PAUSE_AT_BYTES) this.#hold(sent)
  }

  /** Pauses the output, as Ctrl-S does, until the client has caught up. */
  #hold(sent: Promise<void>): void {
    const { terminal } = this.#running
    if (this.#held || !terminal || terminal.closed || (terminal.inputFlags & IXON) === 0) return
    this.#held = true
    terminal.write(HOLD_KEY)
    void sent.then(() => {
      this.#held = false
      if (!terminal.closed) terminal.write(GO_ON_KEY)
    })
  }

  /** Starts the idle time again. */
  #stir(): void {
    clearTimeout(this.#idle)
    this.#idle = this.#whenIdle()
  }

  #whenIdle(): Timer {
    return setTimeout(() => this.#running.stop('idle'), this.#idleMs)
  }
}
