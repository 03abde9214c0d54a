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
const END_AT_BYTES = 1024 * 1024
/** Termios flag: the terminal handles XON and XOFF. */
const IXON = 0o2000
/** The control characters that pause and continue the output, as Ctrl-S and Ctrl-Q do. */
const XOFF = '\x13'
const XON = '\x11'

export interface TerminalSize {
  cols: number
  rows: number
}

export class Terminal {
  readonly #running: RunningProgram
  readonly #connection: Connection
  readonly #idleMs: number
  readonly #decoder = new TextDecoder()
  #idleTimer: Timer
  /** Whether the output is paused. */
  #isPaused = false

  /** @throws Fault as `Shell.start` */
  constructor(shell: Shell, program: ProgramSpec, size: TerminalSize, connection: Connection) {
    this.#connection = connection
    this.#idleMs = shell.idleMs
    const output = (bytes: Uint8Array) => this.#show(bytes)
    this.#running = shell.start({ ...program, terminal: { ...size, output } })
    this.#idleTimer = this.#startIdleTimer()
    void this.#running.ended.finally(() => clearTimeout(this.#idleTimer))
  }

  get running(): RunningProgram {
    return this.#running
  }

  write(data: string): void {
    this.#restartIdleTimer()
    this.#running.write(data)
  }

  resize({ cols, rows }: TerminalSize): void {
    const { terminal } = this.#running
    if (terminal && !terminal.closed) terminal.resize(cols, rows)
  }

  #show(bytes: Uint8Array): void {
    this.#restartIdleTimer()
    const data = this.#decoder.decode(bytes, { stream: true })
    const sent = this.#connection.send(JSON.stringify({ type: 'output', data }))
    const backlog = this.#connection.backlog()
    if (backlog > END_AT_BYTES) this.#running.stop('left')
    else if (backlog > PAUSE_AT_BYTES) this.#pause(sent)
  }

  /** Pauses the output, as Ctrl-S does, until the client has caught up. */
  #pause(sent: Promise<void>): void {
    const { terminal } = this.#running
    if (this.#isPaused || !terminal || terminal.closed || (terminal.inputFlags & IXON) === 0) return
    this.#isPaused = true
    terminal.write(XOFF)
    void sent.then(() => {
      this.#isPaused = false
      if (!terminal.closed) terminal.write(XON)
    })
  }

  /** Called after input and output. */
  #restartIdleTimer(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = this.#startIdleTimer()
  }

  #startIdleTimer(): Timer {
    return setTimeout(() => this.#running.stop('idle'), this.#idleMs)
  }
}
