/** Identifies this process among those of all machines, and tells whether another process of this machine still runs. */

import { hostname, networkInterfaces } from 'node:os'
import { errnoOf } from './errno.ts'
import { creationOf } from './kernel32.ts'
import { bootId, startedMs } from './macos-process.ts'
import { procLink, procText } from './proc-files.ts'

export interface ProcessId {
  host: string
  /**
   * Of the running system: new at each start of the machine, and different on each machine. On Windows, of the machine. Empty
   * if unknown.
   */
  boot: string
  /** The PID namespace, since each container counts its own processes. Without /proc, there is one for the machine. */
  namespace: string
  pid: number
  /** When the process started, since numbers are used again; 0 if unknown. The unit is that of the system. */
  start: number
}

/** The position of the start time in /proc/PID/stat, behind the program's name (proc_pid_stat(5)). */
const START_FIELD = 19

/** @returns the identity of this process */
export function ownProcessId(): ProcessId {
  const host = hostname()
  const hasProc = process.platform === 'linux'
  return {
    host,
    boot: bootOf(host),
    namespace: hasProc ? procLink('/proc/self/ns/pid') : process.platform,
    pid: process.pid,
    start: startOf(process.pid),
  }
}

/**
 * Whether a process still runs. It can be told only for processes of this machine and this container; undefined for
 * others.
 */
export function isRunning(other: ProcessId, own = ownProcessId()): boolean | undefined {
  const isNear = other.boot === own.boot && other.namespace === own.namespace
  if (!isNear || own.boot === '' || own.namespace === '') return undefined
  try {
    process.kill(other.pid, 0)
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false
    // EPERM: a process of another account has this number.
  }
  const start = startOf(other.pid)
  if (start === 0 || other.start === 0) return undefined
  return start === other.start
}

function bootOf(host: string): string {
  if (process.platform === 'linux') return procText('/proc/sys/kernel/random/boot_id')
  return (process.platform === 'darwin' && bootId()) || machineName(host)
}

/** Two machines may have the same host name, but not the same network hardware. Empty without such hardware. */
function machineName(host: string): string {
  const interfaces = Object.values(networkInterfaces()).flatMap((all = []) => all)
  const hardware = interfaces.filter(({ internal }) => !internal).map(({ mac }) => mac)
  const addresses = [...new Set(hardware)].sort()
  return addresses.length === 0 ? '' : `${host} ${addresses.join(' ')}`
}

/** @returns when a process started, on Linux in clock ticks since the start of the machine; 0 if unknown */
function startOf(pid: number): number {
  if (process.platform === 'win32') return creationOf(pid)
  if (process.platform === 'darwin') return startedMs(pid)
  // Where /proc shows the processes of another container, it says nothing about this one.
  if (pid !== process.pid && procLink('/proc/self') !== String(process.pid)) return 0
  const stat = procText(pid === process.pid ? '/proc/self/stat' : `/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[START_FIELD] ?? 0)
}
