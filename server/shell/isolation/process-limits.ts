/** Capabilities, resource limits and signals of a program, which its children inherit. */
import { constants } from 'node:fs'
import { SystemError } from '#server/os/errno.ts'
import { call } from '#server/os/libc.ts'
import { HELPER_PROCESSES, type Policy } from './policy.ts'

const PR_CAPBSET_DROP = 24
const F_GETFL = 3
const F_SETFL = 4
const STANDARD_FDS = [0, 1, 2]
const LAST_SIGNAL = 64
/** KILL and STOP. */
const UNBLOCKABLE_SIGNALS = [9, 19]
const SIGNAL_SET_BYTES = 8
const SIG_SETMASK = 2

/**
 * CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER: root's rights on files. Without CAP_FSETID a write clears the set-user-ID
 * bit, as for other users.
 */
const KEPT_CAPABILITIES = [0, 1, 3]
const LAST_CAPABILITY = 63
const CAPABILITY_VERSION = 0x20080522

const RLIMIT = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, openFiles: 7 } as const
/** Each descriptor may be half of a pipe with 64 KiB, and no other limit counts pipes of root. */
const OPEN_FILES = 256

/** Drops all capabilities of root except those on files. Other users have none. */
export function dropCapabilities(): void {
  for (let capability = 0; capability <= LAST_CAPABILITY; capability += 1) {
    if (KEPT_CAPABILITIES.includes(capability)) continue
    try {
      call('prctl', PR_CAPBSET_DROP, capability, 0, 0, 0)
    } catch (error) {
      // EINVAL: the last capability that the kernel knows. EPERM: not root.
      if (error instanceof SystemError && ['EINVAL', 'EPERM'].includes(error.code)) break
      throw error
    }
  }
  const header = new Uint32Array([CAPABILITY_VERSION, 0])
  const sets = new Uint32Array(6)
  call('capget', header, sets)
  // Effective, permitted and inheritable, twice: inheritable ones would survive.
  sets[2] = 0
  sets[5] = 0
  call('capset', header, sets)
}

/** Resets process state that the runtime has set and a program would inherit. */
export function resetProcessState(): void {
  STANDARD_FDS.forEach(makeBlocking)
  restoreSignals()
}

/** The runtime's pipes are non-blocking; programs expect blocking ones. */
function makeBlocking(fd: number): void {
  const flags = call('fcntl', fd, F_GETFL)
  call('fcntl', fd, F_SETFL, flags & ~constants.O_NONBLOCK)
}

/** The runtime ignores signals that programs need, such as SIGPIPE. */
function restoreSignals(): void {
  const defaultAction = new Uint8Array(32)
  for (let signal = 1; signal <= LAST_SIGNAL; signal += 1) {
    if (!UNBLOCKABLE_SIGNALS.includes(signal))
      call('rt_sigaction', signal, defaultAction, 0, SIGNAL_SET_BYTES)
  }
  call('rt_sigprocmask', SIG_SETMASK, defaultAction, 0, SIGNAL_SET_BYTES)
}

/** Sets all limits except memory, of which the runtime may already use more. */
export function setResourceLimits({ limits, terminal }: Policy, hasOwnProcessCount: boolean): void {
  setLimit(RLIMIT.core, 0)
  setLimit(RLIMIT.openFiles, OPEN_FILES)
  if (!terminal) setLimit(RLIMIT.cpu, limits.cpuSec)
  if (limits.fileBytes > 0) setLimit(RLIMIT.fileSize, limits.fileBytes)
  // Without a process namespace, the user's other processes would count too.
  if (hasOwnProcessCount) setLimit(RLIMIT.processes, limits.processes + HELPER_PROCESSES)
}

/** Called right before the program is executed. */
export function setMemoryLimit(bytes: number): void {
  setLimit(RLIMIT.data, bytes)
}

/** Sets a limit permanently, no higher than its current maximum; 0 means no limit, except for core dumps. */
function setLimit(resource: number, max: number): void {
  if (max === 0 && resource !== RLIMIT.core) return
  const current = new BigUint64Array(2)
  call('prlimit64', 0, resource, 0, current)
  const [requested, hard = 0n] = [BigInt(Math.floor(max)), current[1]]
  const value = requested < hard ? requested : hard
  call('prlimit64', 0, resource, new BigUint64Array([value, value]), 0)
}
