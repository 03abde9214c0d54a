/** What a process may use and how it behaves: capabilities, limits, signals; all of it inherited. */
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
const UNANSWERABLE = [9, 19]
const SIGNAL_SET_BYTES = 8
const SIG_SETMASK = 2

/**
 * CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER: a superuser's rights on people's files. Without CAP_FSETID a
 * file that is written to loses its set-user-ID bit, as for everybody.
 */
const KEPT_CAPABILITIES = [0, 1, 3]
const LAST_CAPABILITY = 63
const CAPABILITY_VERSION = 0x20080522

const RLIMIT = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, openFiles: 7 } as const
/** Each may be half of a pipe with 64 KiB, which no other limit counts where the server is root. */
const OPEN_FILES = 256

/**
 * A superuser's program keeps the rights on files that the server has, within the walls, and no
 * other power. For everybody else there is nothing to drop.
 */
export function dropCapabilities(): void {
  for (let capability = 0; capability <= LAST_CAPABILITY; capability += 1) {
    if (KEPT_CAPABILITIES.includes(capability)) continue
    try {
      call('prctl', PR_CAPBSET_DROP, capability, 0, 0, 0)
    } catch (error) {
      // EINVAL: the kernel knows no more of them. EPERM: an ordinary user, who has none.
      if (error instanceof SystemError && ['EINVAL', 'EPERM'].includes(error.code)) break
      throw error
    }
  }
  const header = new Uint32Array([CAPABILITY_VERSION, 0])
  const sets = new Uint32Array(6)
  call('capget', header, sets)
  // Effective, permitted, inheritable, twice: what is inheritable would survive the dropping.
  sets[2] = 0
  sets[5] = 0
  call('capset', header, sets)
}

/** Takes back what a runtime arranges for itself and a program would inherit. */
export function resetProcessState(): void {
  STANDARD_FDS.forEach(makeBlocking)
  answerSignals()
}

/** A runtime's pipes do not wait; programs expect theirs to. */
function makeBlocking(fd: number): void {
  const flags = call('fcntl', fd, F_GETFL)
  call('fcntl', fd, F_SETFL, flags & ~constants.O_NONBLOCK)
}

/** A runtime ignores signals that programs live by, such as the one of a pipe that nobody reads. */
function answerSignals(): void {
  const standard = new Uint8Array(32)
  for (let signal = 1; signal <= LAST_SIGNAL; signal += 1) {
    if (!UNANSWERABLE.includes(signal)) call('rt_sigaction', signal, standard, 0, SIGNAL_SET_BYTES)
  }
  call('rt_sigprocmask', SIG_SETMASK, standard, 0, SIGNAL_SET_BYTES)
}

/** Sets every limit but that of memory, which the runtime at work here might have passed. */
export function limitResource({ limits, terminal }: Policy, countsAnew: boolean): void {
  setLimit(RLIMIT.core, 0)
  setLimit(RLIMIT.openFiles, OPEN_FILES)
  if (!terminal) setLimit(RLIMIT.cpu, limits.cpuSec)
  if (limits.fileBytes > 0) setLimit(RLIMIT.fileSize, limits.fileBytes)
  // Where processes are counted per user, the user's others would count as well.
  if (countsAnew) setLimit(RLIMIT.processes, limits.processes + HELPER_PROCESSES)
}

/** The last thing before a program takes over. */
export function setMemoryLimit(bytes: number): void {
  setLimit(RLIMIT.data, bytes)
}

/** Lowers a limit for good; one that is lower already stays. */
function setLimit(resource: number, most: number): void {
  if (most === 0 && resource !== RLIMIT.core) return
  const now = new BigUint64Array(2)
  call('prlimit64', 0, resource, 0, now)
  const [wanted, hard = 0n] = [BigInt(Math.floor(most)), now[1]]
  const value = wanted < hard ? wanted : hard
  call('prlimit64', 0, resource, new BigUint64Array([value, value]), 0)
}
