/** Runs programs: whether they may run, with which isolation, and which are running. */
import { closeSync, openSync } from 'node:fs'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import { O_PATH } from '#server/os/flags.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT } from '#wire/paths.ts'
import {
  type Confinement,
  type ConfinementOptions,
  confinementOf,
  thisMachine,
} from './isolation/confinement.ts'
import { findParentCgroup } from './isolation/pids-cgroup.ts'
import type { Isolation } from './isolation/policy.ts'
import type { ProgramEnvironment, ProgramLimits, ProgramSpec } from './program.ts'
import { RunningProgram } from './run.ts'
import { removeStaleScratch } from './scratch.ts'
import { decodeText } from './text.ts'

export interface ShellOptions extends ConfinementOptions {
  network: boolean
  limits: ProgramLimits
}

export class Shell {
  readonly #options: ShellOptions
  readonly #confinement: Confinement
  readonly #running = new Set<RunningProgram>()
  readonly #closing = new AbortController()
  readonly #limit = new Limiter(CONCURRENCY_LIMITS.shells)
  /**
   * The cgroup below which each program gets its own; undefined for other accounts than root, or if the system grants
   * none.
   */
  readonly #parentCgroup: string | undefined

  private constructor(
    options: ShellOptions,
    confinement: Confinement,
    parentCgroup: string | undefined,
  ) {
    this.#options = options
    this.#confinement = confinement
    this.#parentCgroup = parentCgroup
  }

  /** Tests the isolation on this machine, if commands are enabled. */
  static async open(options: ShellOptions): Promise<Shell> {
    if (options.isEnabled) removeStaleScratch()
    const confinementWith = (groups: string | undefined) =>
      confinementOf(
        options,
        thisMachine((isolation) => tryOut({ ...options, groups, isolation })),
      )
    const groups = options.isEnabled && isSuperuser() ? findParentCgroup() : undefined
    const best = await confinementWith(groups)
    if (groups === undefined || best.off === undefined) return new Shell(options, best, groups)
    // A cgroup that cannot be entered does not prevent isolation.
    return new Shell(options, await confinementWith(undefined), undefined)
  }

  /** The reason why commands are off; undefined if they may run. */
  get off(): string | undefined {
    return this.#confinement.off
  }

  /** The isolation of programs; undefined if commands are off. */
  get isolation(): Isolation | undefined {
    return this.#confinement.isolation
  }

  /** A notice for the operator at the start; undefined if there is none. */
  get notice(): string | undefined {
    const { isEnabled } = this.#options
    const { isolation, off } = this.#confinement
    if (off !== undefined) return isEnabled ? off : undefined
    if (isSuperuser() && this.#parentCgroup === undefined)
      return [NOTICES[isolation], NO_CGROUP].join(' ').trim()
    return NOTICES[isolation]
  }

  /** The idle time after which a terminal is ended. */
  get idleMs(): number {
    return Math.min(this.#options.limits.timeMs * TERMINAL_IDLE_FACTOR, TIMER_MAX_MS)
  }

  /** The idle time after which a WebSocket that runs no program is closed. */
  get quietMs(): number {
    return this.#options.limits.timeMs
  }

  /** Aborted when the server stops. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /**
   * Takes a permit for a WebSocket of a user.
   *
   * @throws Fault tooMany (this user has too many), unavailable (all users together have too many)
   */
  acquirePermit(userId: number): Disposable {
    return this.#limit.acquire(userId)
  }

  /**
   * Starts a program. The folder then belongs to it; if this throws, the folder is closed.
   *
   * @throws Fault forbidden (off, or the folder cannot be isolated), unavailable
   */
  start(program: ProgramSpec): RunningProgram {
    try {
      const { isolation, off } = this.#confinement
      if (off !== undefined) throw new Fault('forbidden', off)
      if (this.#closing.signal.aborted) throw new Fault('unavailable', 'The server is stopping.')
      const { hidden, silent } = program.folder
      const reachesAll = program.only === undefined && hidden.length + silent.length > 0
      if (isolation === 'landlock' && reachesAll) {
        throw new Fault(
          'forbidden',
          'Commands cannot run here: the folder contains files of the server, and this system cannot hide them from commands.',
        )
      }
      const running = new RunningProgram(program, {
        ...this.#options,
        isolation,
        groups: this.#parentCgroup,
      })
      this.#running.add(running)
      void running.ended.finally(() => this.#running.delete(running))
      return running
    } catch (error) {
      program.folder[Symbol.dispose]()
      if (error instanceof Fault) throw error
      throw new Fault('unavailable', 'The system cannot start another process. Try again later.', {
        cause: error,
      })
    }
  }

  /** Ends all programs. Resolves when the last has ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const running of this.#running) running.stop('closed')
    await Promise.all([...this.#running].map(({ ended }) => ended))
  }
}

/** The idle limit of a terminal, as a multiple of a command's time limit. */
const TERMINAL_IDLE_FACTOR = 30
/** The longest time of a timer, 24 days: a longer one ends after a millisecond. */
const TIMER_MAX_MS = 2 ** 31 - 1

const NOTICES: Partial<Record<Isolation, string>> = {
  none: 'Commands are not isolated: a user who may run them can do everything that the server can.',
  landlock:
    'Commands are isolated by Landlock only, because this system does not grant them a file tree of their own. They cannot run in folders that contain files of the server, and cannot change modes and times of files.',
}

const NO_CGROUP =
  'Commands run as root, and this system grants no control group. Their processes are counted only ten times a second, so there may be more than the limit for a moment. Run filemgr with a system account of its own.'

function isSuperuser(): boolean {
  return process.geteuid?.() === 0
}

/**
 * Starts a process with this isolation and without a program, to test the isolation.
 *
 * @returns the error; undefined if it works
 */
async function tryOut(
  environment: ProgramEnvironment & { root: string },
): Promise<string | undefined> {
  const running = new RunningProgram({ argv: [], folder: rootOf(environment.root) }, environment)
  let output = ''
  for await (const text of decodeText(running.output('stderr'))) output += text
  const { code } = await running.ended
  return code === 0 ? undefined : output.trim() || `exit code ${code}`
}

function rootOf(disk: string): CommandFolder {
  const fd = openSync(disk, O_PATH)
  return { fd, disk, folder: ROOT, hidden: [], silent: [], [Symbol.dispose]: () => closeSync(fd) }
}
