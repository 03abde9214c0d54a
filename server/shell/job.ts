/** A program to be started: what it is, where it stands, and how the executable starts it behind walls. */
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CommandFolder } from '#server/storage/storage.ts'
import { groupName } from './pids-cgroup.ts'
import { type Isolation, ONE_THREAD, POLICY_VARIABLE, type Policy, PROGRAM_PATH } from './policy.ts'

/** What a program learns of the server’s environment. */
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

export interface JobEnvironment {
  isolation: Isolation
  network: boolean
  limits: Limits
  /** The folder of control groups in which each program gets one; undefined where there are none. */
  groups: string | undefined
}

export interface Job {
  argv: readonly string[]
  /** Taken over: closed when the program has ended. */
  folder: CommandFolder
  /** The name of one file in the folder's folder: the program reads it and reaches no other. */
  only?: string
  env?: Readonly<Record<string, string>>
  /** The program may be sent input. */
  input?: boolean
  terminal?: { cols: number; rows: number; output(bytes: Uint8Array): void } | undefined
}

/** What a terminal tells of itself. */
export interface TerminalEvents {
  /** All that was typed has been taken. */
  drained(): void
  /** All that was drawn has been shown. */
  finished(): void
}

/**
 * Starts the program of a job.
 *
 * @param scratch an empty folder of its own
 * @throws Error when the system starts no more processes
 */
export function spawn(
  job: Job,
  around: JobEnvironment,
  scratch: string,
  events: TerminalEvents,
): Bun.Subprocess {
  const { folder, terminal, input } = job
  const policy = policyOf(job, around, scratch)
  const env = { ...ONE_THREAD, [POLICY_VARIABLE]: JSON.stringify(policy) }
  const outside = { cwd: '/', env, detached: true }
  const argv = [...ownProgram(), 'jail']
  if (terminal) {
    const { cols, rows, output } = terminal
    return Bun.spawn(argv, {
      ...outside,
      stdio: ['ignore', 'ignore', 'ignore', folder.fd],
      terminal: {
        cols,
        rows,
        data: (_, bytes) => output(bytes),
        drain: () => events.drained(),
        exit: () => events.finished(),
      },
    })
  }
  const stdin = input ? 'pipe' : 'ignore'
  return Bun.spawn(argv, { ...outside, stdio: [stdin, 'pipe', 'pipe', folder.fd] })
}

/** The control group of a program, by the name of its room. */
export function groupOf({ groups }: JobEnvironment, scratch: string): string | undefined {
  return groups === undefined ? undefined : groupName(groups, basename(scratch))
}

/** This very executable, also after its file was moved or replaced. */
export function ownProgram(): string[] {
  const executable = `/proc/${process.pid}/exe`
  return Bun.main.startsWith('/$bunfs/') ? [executable] : [executable, Bun.main]
}

function policyOf(job: Job, around: JobEnvironment, scratch: string): Policy {
  const { isolation, network, limits } = around
  const { folder, argv } = job
  const [temporary, newRoot] = [join(scratch, 'tmp'), join(scratch, 'root')]
  for (const path of [temporary, newRoot]) mkdirSync(path, { mode: 0o700 })
  return {
    isolation,
    network,
    parent: process.pid,
    argv: [...argv],
    env: environment(job, temporary),
    top: folder.disk,
    folder: folder.folder,
    ...(job.only === undefined ? {} : { only: job.only }),
    hidden: folder.hidden,
    temporary,
    newRoot,
    group: groupOf(around, scratch),
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
    HOME: job.folder.disk,
    TMPDIR: temporary,
    ...(job.terminal ? { TERM: 'xterm-256color' } : {}),
    ...job.env,
  }
}
