/**
 * Reads the processes of a session from /proc. An isolated process cannot leave its session, so the session contains
 * all its children.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { pageSize } from '#server/os/libc.ts'

/** Field positions in /proc/PID/stat after the name. */
const STAT = { state: 0, group: 2, session: 3, residentPages: 21 } as const
/** A program may start processes as fast as they are killed; after so many rounds `killAll` stops. */
const ROUNDS_MAX = 1000

export interface Process {
  pid: number
  /** The process group. */
  group: number
  residentBytes: number
}

/** @returns all running processes of a session */
export function processesOf(session: number): Process[] {
  const page = pageSize()
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined
    if (!stat || Number(stat[STAT.session]) !== session) return []
    // Z and X: dead processes that were not reaped yet.
    if ('ZX'.includes(stat[STAT.state] ?? 'X')) return []
    const residentBytes = Number(stat[STAT.residentPages]) * page
    return [{ pid: Number(name), group: Number(stat[STAT.group]), residentBytes }]
  })
}

/**
 * The processes of a session without the helpers in a process namespace: the session leader and the init.
 *
 * @param hasHelpers whether the session has these helpers
 */
export function programsOf(session: number, hasHelpers: boolean): Process[] {
  const all = processesOf(session)
  return hasHelpers ? all.filter(({ pid }) => pid !== session && !isInit(pid)) : all
}

/**
 * Sends a signal to every process of a session.
 *
 * @returns whether there was any
 */
export function signalAll(session: number, signal: NodeJS.Signals): boolean {
  const groups = new Set(processesOf(session).map(({ group }) => group))
  // Signals whole groups, so that children that are just being started get it too.
  for (const group of groups) signalGroup(group, signal)
  return groups.size > 0
}

/** Kills every process of a session, also new ones. */
export function killAll(session: number): void {
  for (let round = 0; round < ROUNDS_MAX && signalAll(session, 'SIGKILL'); round += 1);
}

/** Whether a process is the init of a child namespace. */
function isInit(pid: number): boolean {
  try {
    return /^NSpid:.*\t\d+\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // The group has just ended.
  }
}

/** The fields after the name, which may contain spaces and brackets; undefined if the process is gone. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
