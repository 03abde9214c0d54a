/** What a process holds and does, as /proc tells it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export function residentMibOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

/** Open files and folders. Connections are the clients' to close. */
export function descriptorsOf(pid: number): number {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
  return targets.filter((target) => target !== '' && !target.startsWith('socket:')).length
}

export function threadsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length
}

export function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
}

/** Processor time so far, in hundredths of a second. */
export function workedBy(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return (user ?? 0) + (system ?? 0)
}

/** Empty for one that was closed meanwhile. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(fd)
  } catch {
    return ''
  }
}
