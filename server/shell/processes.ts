/**
 * The processes of one session, as /proc has them. A jailed process cannot leave its session, so the
 * session is everything a program ever started.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { pageSize } from '#server/os/libc.ts'

/** What /proc/PID/stat says after the name, by position. */
const STAT = { state: 0, group: 2, session: 3, residentPages: 21 } as const
const ROUNDS_MAX = 1000

export interface Process {
  pid: number
  group: number
  /** Bytes of memory in use. */
  residentBytes: number
}

/** Everything of the session that still runs. */
export function processesOf(session: number): Process[] {
  const page = pageSize()
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined
    if (!stat || Number(stat[STAT.session]) !== session) return []
    // Z and X: dead, and kept only until somebody asks how it ended.
    if ('ZX'.includes(stat[STAT.state] ?? 'X')) return []
    const residentBytes = Number(stat[STAT.residentPages]) * page
    return [{ pid: Number(name), group: Number(stat[STAT.group]), residentBytes }]
  })
}

/**
 * The processes of a session without those that stand beside a program in a namespace of its own: the
 * leader of the session, and the init.
 *
 * @param beside whether there are such
 */
export function programsOf(session: number, beside: boolean): Process[] {
  const all = processesOf(session)
  return beside ? all.filter(({ pid }) => pid !== session && !isInit(pid)) : all
}

/** Sends a signal to every process of the session. @returns whether there was any */
export function signalAll(session: number, signal: NodeJS.Signals): boolean {
  const groups = new Set(processesOf(session).map(({ group }) => group))
  // A whole group in one call: what it starts in that moment gets the signal too.
  for (const group of groups) signalGroup(group, signal)
  return groups.size > 0
}

/** Ends every process of the session, whatever it starts meanwhile. */
export function killAll(session: number): void {
  for (let round = 0; round < ROUNDS_MAX && signalAll(session, 'SIGKILL'); round += 1);
}

/** The first process of a namespace below this one. */
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
    // It has just ended.
  }
}

/** The fields after the name, which may itself hold blanks and brackets; undefined when it is gone. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
