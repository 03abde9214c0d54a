/** Resources of a process, from /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The resident memory, in MiB. */
export function residentMibOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

/** The number of open files and folders. Connections do not count, because clients close them. */
export function descriptorsOf(pid: number): number {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
  return targets.filter((target) => target !== '' && !target.startsWith('socket:')).length
}

export function threadsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length
}

/** The ids of its child processes. */
export function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
}

/** False also for a process that has ended and whose exit code was not read yet. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1))
  } catch {
    return false
  }
}

/** The processor time used so far, in hundredths of a second. */
export function workedBy(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return (user ?? 0) + (system ?? 0)
}

/** Empty for a descriptor that was closed in the meantime. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(fd)
  } catch {
    return ''
  }
}
