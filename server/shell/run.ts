/**
 * A jailed program: started, fed, watched, and ended with everything it started. The server keeps its
 * session, its time and its output within bounds; the walls are `jail.ts`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Workplace } from '#server/storage/storage.ts'
import type { ShellSignal } from '#wire/shell.ts'
import { POLICY_VARIABLE, type Policy, PROGRAM_PATH, type Walls } from './policy.ts'
import { killAll, processesOf, signalAll } from './processes.ts'

/** Time to put things in order after SIGTERM. */
const GRACE_MS = 1000
const WATCH_EVERY_MS = 100

/**
 * The runtime that builds the jail stays in one thread: only such a process may enter a user namespace
 * of its own (unshare(2)).
 */
const ONE_THREAD = {
  BUN_JSC_useConcurrentGC: '0',
  BUN_JSC_useConcurrentJIT: '0',
  BUN_JSC_numberOfGCMarkers: '1',
  BUN_JSC_useWarmUpMarkedBlocks: '0',
  BUN_FEATURE_FLAG_DISABLE_ASYNC_TRANSPILER: '1',
  MIMALLOC_PURGE_DELAY: '-1',
}
/** What a program learns of the server's environment. */
const INHERITED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ']

export interface Limits {
  /** Wall time; 0 is none. Of a terminal, time without a word in either direction. */
  timeMs: number
  memoryBytes: number
  processes: number
  /** Of both outputs together. */
  outputBytes: number
  /** The largest file a program may write; 0 is any. */
  fileBytes: number
}

export interface Surroundings {
  walls: Walls
  network: boolean
  limits: Limits
}

export interface Job {
  argv: readonly string[]
  /** Taken over: closed when the program has ended. */
  workplace: Workplace
  env?: Readonly<Record<string, string>>
  /** The program may be sent input. */
  input?: boolean
  terminal?: { cols: number; rows: number; output(bytes: Uint8Array): void } | undefined
}

/** Why the server ended a program, as a sentence for the person. */
export const CUTS = {
  time: 'The time for this command is over.',
  idle: 'The terminal was idle for too long.',
  memory: 'The command used too much memory.',
  processes: 'The command started too many processes.',
  output: 'The command wrote more than may be shown.',
  left: 'Nobody is there to read.',
  closed: 'The server stops.',
} as const
export type Cut = keyof typeof CUTS

export interface Ending {
  /** 128 and the signal's number when a signal ended it. */
  code: number
  signal: string | undefined
  cut: Cut | undefined
}

export class Running {
  /** Ends when the program, and all it started, has ended. */
  readonly ended: Promise<Ending>
  readonly #child: Bun.Subprocess
  readonly #around: Surroundings
  readonly #timers = new Set<Timer>()
  #cut: Cut | undefined
  #written = 0
  #over = false

  /** @throws Error when the system starts no more processes; the workplace is closed then */
  constructor(job: Job, around: Surroundings) {
    this.#around = around
    const { workplace } = job
    const room = mkdtempSync(join(tmpdir(), 'filemgr-shell-'))
    const clear = () => {
      this.#over = true
      for (const timer of this.#timers) clearTimeout(timer)
      workplace[Symbol.dispose]()
      rmSync(room, { recursive: true, force: true })
    }
    try {
      this.#child = spawn(job, policyOf(job, around, room))
    } catch (error) {
      clear()
      throw error
    }
    this.ended = this.#end().finally(clear)
    this.#timers.add(setInterval(() => this.#watch(), WATCH_EVERY_MS))
    const { timeMs } = around.limits
    if (timeMs > 0 && !job.terminal) this.#timers.add(setTimeout(() => this.stop('time'), timeMs))
  }

  /**
   * What the program writes, as it is read: whoever does not read stops the program.
   * Ends early when the program has written more than it may.
   */
  async *output(from: 'stdout' | 'stderr'): AsyncIterable<Uint8Array> {
    const stream = this.#child[from]
    if (!(stream instanceof ReadableStream)) return
    for await (const bytes of stream) {
      const room = this.#around.limits.outputBytes - this.#written
      this.#written += bytes.length
      if (bytes.length > room) {
        if (room > 0) yield bytes.subarray(0, room)
        this.stop('output')
        return
      }
      yield bytes
    }
  }

  /** Sends input, to a terminal or to a program that was started with `input`. */
  write(data: string): void {
    const { terminal, stdin } = this.#child
    if (terminal) terminal.write(data)
    else if (stdin && typeof stdin === 'object') {
      stdin.write(data)
      stdin.flush()
    }
  }

  endInput(): void {
    const { stdin } = this.#child
    if (stdin && typeof stdin === 'object') stdin.end()
  }

  get terminal(): Bun.Terminal | undefined {
    return this.#child.terminal
  }

  /** A signal to everything the program is. */
  signal(name: ShellSignal): void {
    if (!this.#over) signalAll(this.#child.pid, `SIG${name}`)
  }

  /** Ends the program and all it started: asked first, then made to. */
  stop(why: Cut): void {
    if (this.#cut || this.#over) return
    this.#cut = why
    const kill = () => killAll(this.#child.pid)
    if (why === 'memory' || why === 'processes') kill()
    else {
      signalAll(this.#child.pid, 'SIGTERM')
      this.#timers.add(setTimeout(kill, GRACE_MS))
    }
  }

  async #end(): Promise<Ending> {
    await this.#child.exited
    killAll(this.#child.pid)
    this.#child.terminal?.close()
    const { signalCode, exitCode } = this.#child
    if (typeof signalCode !== 'string') {
      return { code: exitCode ?? 0, signal: undefined, cut: this.#cut }
    }
    return { code: 128 + constants.signals[signalCode], signal: signalCode, cut: this.#cut }
  }

  #watch(): void {
    const { memoryBytes, processes } = this.#around.limits
    const all = processesOf(this.#child.pid)
    const used = all.reduce((sum, { residentBytes }) => sum + residentBytes, 0)
    if (all.length > processes) this.stop('processes')
    else if (used > memoryBytes) this.stop('memory')
  }
}

function spawn({ workplace, terminal, input }: Job, policy: Policy): Bun.Subprocess {
  const env = { ...ONE_THREAD, [POLICY_VARIABLE]: JSON.stringify(policy) }
  const outside = { cwd: '/', env, detached: true }
  const argv = [...ownProgram(), 'jail']
  if (terminal) {
    const { cols, rows, output } = terminal
    return Bun.spawn(argv, {
      ...outside,
      stdio: ['ignore', 'ignore', 'ignore', workplace.fd],
      terminal: { cols, rows, data: (_, bytes) => output(bytes) },
    })
  }
  const stdin = input ? 'pipe' : 'ignore'
  return Bun.spawn(argv, { ...outside, stdio: [stdin, 'pipe', 'pipe', workplace.fd] })
}

/** This very executable, also after its file was moved or replaced. */
function ownProgram(): string[] {
  const executable = `/proc/${process.pid}/exe`
  return Bun.main.startsWith('/$bunfs/') ? [executable] : [executable, Bun.main]
}

function policyOf(job: Job, { walls, network, limits }: Surroundings, room: string): Policy {
  const { workplace, argv } = job
  const [temporary, newRoot] = [join(room, 'tmp'), join(room, 'root')]
  for (const folder of [temporary, newRoot]) mkdirSync(folder, { mode: 0o700 })
  return {
    walls,
    network,
    parent: process.pid,
    argv: [...argv],
    env: environment(job, temporary),
    top: workplace.disk,
    folder: workplace.folder,
    hidden: workplace.hidden,
    temporary,
    newRoot,
    terminal: job.terminal !== undefined,
    limits: {
      cpuSec: Math.ceil(limits.timeMs / 1000),
      memoryBytes: limits.memoryBytes,
      processes: limits.processes,
      fileBytes: limits.fileBytes,
    },
  }
}

/** Built from nothing: what the server's own environment holds is the server's. */
function environment(job: Job, temporary: string): Record<string, string> {
  const known = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value ? [[name, value] as const] : []
  })
  return {
    LANG: 'C.UTF-8',
    ...Object.fromEntries(known),
    PATH: PROGRAM_PATH,
    HOME: job.workplace.disk,
    TMPDIR: temporary,
    ...(job.terminal ? { TERM: 'xterm-256color' } : {}),
    ...job.env,
  }
}
