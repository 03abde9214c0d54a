/**
 * A running isolated program: starts it, passes input, limits time and output, and ends it with all its children. The
 * isolation itself is in `jail.ts`.
 */

import { constants } from 'node:os'
import { rmSync } from '#server/os/remove.ts'
import type { ShellSignal } from '#wire/api/shell.ts'
import { Fault } from '#wire/fault.ts'
import { removeGroup } from './isolation/pids-cgroup.ts'
import { killAll, programsOf, signalAll } from './processes.ts'
import { cgroupOf, type ProgramEnvironment, type ProgramSpec, spawn } from './program.ts'
import { createScratchFolder } from './scratch.ts'

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 1000
const WATCH_EVERY_MS = 100
/** The most characters of input that a program has not read; each message counts `MESSAGE_CHARS` more. */
const UNREAD_MAX_CHARS = 1024 * 1024
const MESSAGE_CHARS = 256

/** Why the server ends a program, with the message for the user. */
export const END_REASONS = {
  time: 'The time for this command is over.',
  idle: 'The terminal was idle for too long.',
  memory: 'The command used too much memory.',
  processes: 'The command started too many processes.',
  output: 'The command wrote more than may be shown.',
  left: 'The client closed the connection.',
  closed: 'The server is stopping.',
} as const
export type EndReason = keyof typeof END_REASONS

export interface ProgramResult {
  /** The exit code; 128 plus the signal's number if a signal ended the program. */
  code: number
  signal: string | undefined
  /** Why the server ended the program; undefined if it ended by itself. */
  endReason: EndReason | undefined
}

export class RunningProgram {
  /** Resolves when the program and all its children have ended. */
  readonly ended: Promise<ProgramResult>
  readonly #child: Bun.Subprocess
  readonly #environment: ProgramEnvironment
  readonly #timers = new Set<Timer>()
  #endReason: EndReason | undefined
  /** Bytes of output so far. */
  #outputBytes = 0
  /** Characters of input that the program has not read. */
  #unreadChars = 0
  #hasEnded = false
  /** Resolves when all output of a terminal was sent. */
  readonly #shown: Promise<void>

  /** @throws Error if the system cannot start a process; the folder is closed then */
  constructor(program: ProgramSpec, environment: ProgramEnvironment) {
    this.#environment = environment
    const { folder } = program
    const scratch = createScratchFolder()
    const group = cgroupOf(environment, scratch)
    const clear = () => {
      this.#hasEnded = true
      for (const timer of this.#timers) clearTimeout(timer)
      folder[Symbol.dispose]()
      rmSync(scratch, { recursive: true, force: true })
      if (group !== undefined) void removeGroup(group)
    }
    const outputShown = Promise.withResolvers<void>()
    this.#shown = program.terminal ? outputShown.promise : Promise.resolve()
    const events = {
      drained: () => {
        this.#unreadChars = 0
      },
      finished: outputShown.resolve,
    }
    try {
      this.#child = spawn(program, environment, scratch, events)
    } catch (error) {
      clear()
      throw error
    }
    this.ended = this.#end().finally(clear)
    this.#timers.add(setInterval(() => this.#watch(), WATCH_EVERY_MS))
    const { timeMs } = environment.limits
    if (timeMs > 0 && !program.terminal)
      this.#timers.add(setTimeout(() => this.stop('time'), timeMs))
  }

  /** The output as it is read; a program blocks while it is not read. Ends early at the output limit. */
  async *output(from: 'stdout' | 'stderr'): AsyncIterable<Uint8Array> {
    const stream = this.#child[from]
    if (!(stream instanceof ReadableStream)) return
    for await (const bytes of stream) {
      const remaining = this.#environment.limits.outputBytes - this.#outputBytes
      this.#outputBytes += bytes.length
      if (bytes.length > remaining) {
        if (remaining > 0) yield bytes.subarray(0, remaining)
        this.stop('output')
        return
      }
      yield bytes
    }
  }

  /**
   * Sends input, to a terminal or to a program started with `input`.
   *
   * @throws Fault tooLarge if the program does not read it
   */
  write(data: string): void {
    const { terminal, stdin } = this.#child
    const cost = data.length + MESSAGE_CHARS
    if (this.#unreadChars + cost > UNREAD_MAX_CHARS) {
      throw new Fault('tooLarge', 'The command does not read its input. The input was dropped.')
    }
    if (terminal && !terminal.closed) {
      this.#unreadChars += cost
      terminal.write(data)
    } else if (stdin && typeof stdin === 'object') {
      this.#unreadChars += cost
      stdin.write(data)
      void this.#ignoreFailure(stdin.flush(), () => {
        this.#unreadChars -= cost
      })
    }
  }

  /** Closes the input. */
  endInput(): void {
    const { stdin } = this.#child
    if (stdin && typeof stdin === 'object') void this.#ignoreFailure(stdin.end())
  }

  /** Waits for a write. Its failure is ignored, because the program has ended then. */
  async #ignoreFailure(writing: unknown, then?: () => void): Promise<void> {
    try {
      await writing
      then?.()
    } catch {
      // `ended` reports the end.
    }
  }

  get terminal(): Bun.Terminal | undefined {
    return this.#child.terminal
  }

  /** Sends a signal to the program and its children. */
  signal(name: ShellSignal): void {
    if (!this.#hasEnded) signalAll(this.#child.pid, `SIG${name}`)
  }

  /** Ends the program and its children: SIGTERM first, then SIGKILL; at once for a limit of memory or processes. */
  stop(reason: EndReason): void {
    if (this.#endReason || this.#hasEnded) return
    this.#endReason = reason
    const kill = () => killAll(this.#child.pid)
    if (reason === 'memory' || reason === 'processes') kill()
    else {
      signalAll(this.#child.pid, 'SIGTERM')
      this.#timers.add(setTimeout(kill, GRACE_MS))
    }
  }

  async #end(): Promise<ProgramResult> {
    await this.#child.exited
    killAll(this.#child.pid)
    await Promise.race([this.#shown, Bun.sleep(GRACE_MS)])
    this.#child.terminal?.close()
    const { signalCode, exitCode } = this.#child
    if (typeof signalCode !== 'string') {
      return { code: exitCode ?? 0, signal: undefined, endReason: this.#endReason }
    }
    return {
      code: 128 + constants.signals[signalCode],
      signal: signalCode,
      endReason: this.#endReason,
    }
  }

  #watch(): void {
    const { memoryBytes, processes } = this.#environment.limits
    const all = programsOf(this.#child.pid, this.#environment.isolation === 'root')
    const used = all.reduce((sum, { residentBytes }) => sum + residentBytes, 0)
    if (all.length > processes) this.stop('processes')
    else if (used > memoryBytes) this.stop('memory')
  }
}
