/**
 * An interactive terminal behind the same jail: what is typed goes in, what is drawn comes out.
 *
 * Only a program of the person's own list can be started in one, by its exact name. Which programs
 * that program then starts is the jail's affair, as everywhere: whoever is given `sh` is given
 * everything that is installed.
 */

import type { Connection } from './connection.ts'
import type { Job } from './job.ts'
import type { Running } from './run.ts'
import type { Shell } from './shell.ts'

/** Unsent bytes at which the program is held, and at which nobody is taken to read any more. */
const HOLD_AT_BYTES = 256 * 1024
const GIVE_UP_AT_BYTES = 1024 * 1024
/** Termios: the terminal obeys the two keys below. */
const IXON = 0o2000
const HOLD_KEY = '\x13'
const GO_ON_KEY = '\x11'

export interface Size {
  cols: number
  rows: number
}

export class Terminal {
  readonly #running: Running
  readonly #line: Connection
  readonly #idleMs: number
  readonly #decoder = new TextDecoder()
  #idle: Timer
  #held = false

  /** @throws Fault as `Shell.start` */
  constructor(shell: Shell, job: Job, size: Size, line: Connection) {
    this.#line = line
    this.#idleMs = shell.idleMs
    const output = (bytes: Uint8Array) => this.#show(bytes)
    this.#running = shell.start({ ...job, terminal: { ...size, output } })
    this.#idle = this.#whenIdle()
    void this.#running.ended.finally(() => clearTimeout(this.#idle))
  }

  get running(): Running {
    return this.#running
  }

  write(data: string): void {
    this.#stir()
    this.#running.write(data)
  }

  resize({ cols, rows }: Size): void {
    const { terminal } = this.#running
    if (terminal && !terminal.closed) terminal.resize(cols, rows)
  }

  #show(bytes: Uint8Array): void {
    this.#stir()
    const data = this.#decoder.decode(bytes, { stream: true })
    const sent = this.#line.send(JSON.stringify({ type: 'output', data }))
    const backlog = this.#line.backlog()
    if (backlog > GIVE_UP_AT_BYTES) this.#running.stop('left')
    else if (backlog > HOLD_AT_BYTES) this.#hold(sent)
  }

  /** As if the person had pressed Ctrl-S, until the reader has caught up. */
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

  #stir(): void {
    clearTimeout(this.#idle)
    this.#idle = this.#whenIdle()
  }

  #whenIdle(): Timer {
    return setTimeout(() => this.#running.stop('idle'), this.#idleMs)
  }
}
