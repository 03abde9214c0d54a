/** A program to start, and how the executable starts it in isolation. */
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isExecutable } from '#server/os/executable.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import { groupName } from './isolation/pids-cgroup.ts'
import {
  type Isolation,
  ONE_THREAD,
  POLICY_VARIABLE,
  type Policy,
  PROGRAM_PATH,
} from './isolation/policy.ts'

/** Where a workspace is: some programs create their sockets there, whatever their environment says. */
const WORKSPACE = '/tmp'
/** Variables that programs inherit from the server. */
const INHERITED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ']

export interface ProgramLimits {
  /** Wall time, and processor time; 0 means no limit. A terminal has neither, only the idle time of `Shell.idleMs`. */
  timeMs: number
  memoryBytes: number
  processes: number
  /** Limit of stdout and stderr together. */
  outputBytes: number
  /** The largest file that a program may write; 0 means any. */
  fileBytes: number
}

export interface ProgramEnvironment {
  isolation: Isolation
  network: boolean
  limits: ProgramLimits
  /** The cgroup under which each program gets its own; undefined if there is none. */
  groups: string | undefined
}

export interface ProgramSpec {
  argv: readonly string[]
  /** Owned by the program: closed when it has ended. */
  folder: CommandFolder
  /** The name of one file in the folder: the program can read it and no other. */
  only?: string
  /** With `only`: see `Policy.workspaceBytes`. */
  workspaceBytes?: number
  env?: Readonly<Record<string, string>>
  /** Whether the program accepts input. */
  input?: boolean
  terminal?: { cols: number; rows: number; output(bytes: Uint8Array): void } | undefined
}

/** Events of a terminal. */
export interface TerminalEvents {
  /** All input was read. */
  drained(): void
  /** All output was read. */
  finished(): void
}

/**
 * Starts a program.
 *
 * @param scratch an empty folder for temporary files
 * @throws Error if the system cannot start a process
 */
export function spawn(
  program: ProgramSpec,
  environment: ProgramEnvironment,
  scratch: string,
  events: TerminalEvents,
): Bun.Subprocess {
  const { folder, terminal, input } = program
  const policy = policyOf(program, environment, scratch)
  const env = { ...ONE_THREAD, [POLICY_VARIABLE]: JSON.stringify(policy) }
  const options = { cwd: '/', env, detached: true }
  const argv = [...ownProgram(), 'jail']
  if (terminal) {
    const { cols, rows, output } = terminal
    return Bun.spawn(argv, {
      ...options,
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
  return Bun.spawn(argv, { ...options, stdio: [stdin, 'pipe', 'pipe', folder.fd] })
}

/** The cgroup of a program, named after its scratch folder. */
export function cgroupOf({ groups }: ProgramEnvironment, scratch: string): string | undefined {
  return groups === undefined ? undefined : groupName(groups, basename(scratch))
}

/** This executable, also after its file was moved or replaced. */
export function ownProgram(): string[] {
  const executable = `/proc/${process.pid}/exe`
  return isExecutable() ? [executable] : [executable, Bun.main]
}

function policyOf(program: ProgramSpec, environment: ProgramEnvironment, scratch: string): Policy {
  const { isolation, network, limits } = environment
  const { folder, argv } = program
  const [ownTemporary, newRoot] = [join(scratch, 'tmp'), join(scratch, 'root')]
  for (const path of [ownTemporary, newRoot]) mkdirSync(path, { mode: 0o700 })
  const temporary = program.workspaceBytes === undefined ? ownTemporary : WORKSPACE
  return {
    isolation,
    network,
    parent: process.pid,
    argv: [...argv],
    env: variablesOf(program, temporary),
    rootFolder: folder.disk,
    folder: folder.folder,
    ...(program.only === undefined ? {} : { only: program.only }),
    ...(program.workspaceBytes === undefined ? {} : { workspaceBytes: program.workspaceBytes }),
    hidden: folder.hidden,
    silent: folder.silent,
    temporary,
    newRoot,
    group: cgroupOf(environment, scratch),
    terminal: program.terminal !== undefined,
    limits: {
      cpuSec: Math.ceil(limits.timeMs / 1000),
      memoryBytes: limits.memoryBytes,
      processes: limits.processes,
      fileBytes: limits.fileBytes,
    },
  }
}

/** Contains little of the server's environment, which may contain secrets. */
function variablesOf(program: ProgramSpec, temporary: string): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value ? [[name, value] as const] : []
  })
  return {
    LANG: 'C.UTF-8',
    ...Object.fromEntries(inherited),
    PATH: PROGRAM_PATH,
    HOME: program.folder.disk,
    TMPDIR: temporary,
    ...(program.terminal ? { TERM: 'xterm-256color' } : {}),
    ...program.env,
  }
}
