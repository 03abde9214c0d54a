/**
 * The inside of a jail. The executable runs itself again with a policy, walls itself in, and becomes
 * the program. Each wall holds for the process and all it starts, and none can be taken down again.
 */
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { DEVICE, landlockVersion, READ, RUN, Ruleset, WORK } from './landlock.ts'
import {
  DEVICES,
  NETWORK_FILES,
  POLICY_VARIABLE,
  type Policy,
  PROGRAM_PATH,
  policyShape,
  SYSTEM_FILES,
  SYSTEM_FOLDERS,
  TERMINAL_DEVICES,
  TOP_FD,
} from './policy.ts'
import { enterPrivateRoot } from './private-root.ts'
import { filterCalls } from './seccomp.ts'
import { CallFailed, call, execve } from './syscalls.ts'

const PR_SET_PDEATHSIG = 1
const PR_CAPBSET_DROP = 24
const PR_SET_NO_NEW_PRIVS = 38
const SIGKILL = 9
const CLOSE_ON_EXEC = 4
const F_GETFL = 3
const F_SETFL = 4
const STANDARD_FDS = [0, 1, 2]
const LAST_SIGNAL = 64
/** KILL and STOP. */
const UNANSWERABLE = [9, 19]
const SIGNAL_SET_BYTES = 8
const SIG_SETMASK = 2
const LAST_FD = 0xffffffff

/** RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH. */
const STAY_INSIDE = 0x02n | 0x04n | 0x08n
const O_PATH = 0o10000000

/** CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID: a superuser's rights on people's files. */
const KEPT_CAPABILITIES = [0, 1, 3, 4]
const LAST_CAPABILITY = 63
const CAPABILITY_VERSION = 0x20080522

const RLIMIT = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, openFiles: 7 } as const
const OPEN_FILES = 1024

/** How a jail ends that did not become a program, as shells count. */
export const JAIL_EXIT = { notBuilt: 125, notExecutable: 126, notFound: 127 } as const

export interface JailEnd {
  code: number
  say: string | undefined
}

/**
 * Builds the jail that the environment describes and becomes its program.
 *
 * @returns only when there is none to become, with the exit code
 */
export function enterJail(env: NodeJS.ProcessEnv): JailEnd {
  let policy: Policy
  try {
    policy = policyShape.parse(JSON.parse(env[POLICY_VARIABLE] ?? ''))
  } catch {
    return { code: JAIL_EXIT.notBuilt, say: 'This verb is for filemgr itself.' }
  }
  try {
    build(policy)
  } catch (error) {
    return { code: JAIL_EXIT.notBuilt, say: error instanceof Error ? error.message : String(error) }
  }
  return policy.argv.length === 0 ? { code: 0, say: undefined } : become(policy)
}

function build(policy: Policy): void {
  endWith(policy.parent)
  call('fchdir', TOP_FD)
  if (!sameObject('.', policy.top)) throw new Error('The folder was moved.')
  const countsAnew = policy.walls === 'root' && ownTree(policy)
  const top = standIn(policy.folder)
  dropCapabilities()
  call('prctl', PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
  if (policy.walls !== 'none') landlock(policy, top)
  call('close_range', TOP_FD, LAST_FD, CLOSE_ON_EXEC)
  STANDARD_FDS.forEach(makeBlocking)
  answerSignals()
  limit(policy, countsAnew)
  const confined = policy.walls !== 'none'
  filterCalls({
    network: !confined || policy.network,
    groups: policy.terminal,
    ownRoot: !confined || policy.walls === 'root',
  })
}

/** The server's end is this process's end, also when it came before this call. */
function endWith(parent: number): void {
  call('prctl', PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
  if (call('getppid') !== parent) throw new Error('The server is gone.')
}

function ownTree(policy: Policy): boolean {
  return enterPrivateRoot({
    at: policy.newRoot,
    readable: [...SYSTEM_FOLDERS, ...readableFiles(policy), ...namedProgram(policy)],
    devices: devicesOf(policy),
    writable: [policy.temporary],
    top: policy.top,
    hidden: policy.hidden,
  })
}

/**
 * From the top, where the process stands, down to the folder to start in; no link is followed.
 *
 * @returns the top, open
 */
function standIn(folder: string): number {
  const how = new BigUint64Array([BigInt(O_PATH | constants.O_DIRECTORY), 0n, STAY_INSIDE])
  const top = openSync('.', O_PATH)
  const fd = call('openat2', top, `.${folder}`, how, how.byteLength)
  call('fchdir', fd)
  closeSync(fd)
  return top
}

function landlock(policy: Policy, top: number): void {
  const rules = new Ruleset(landlockVersion(), policy.network)
  for (const path of SYSTEM_FOLDERS) rules.allowPath(path, RUN)
  for (const path of readableFiles(policy)) rules.allowPath(path, READ)
  for (const path of namedProgram(policy)) rules.allowPath(path, RUN)
  for (const path of devicesOf(policy)) rules.allowPath(path, DEVICE)
  rules.allowPath(policy.temporary, WORK)
  rules.allow(top, WORK)
  rules.enforce()
}

function readableFiles({ network }: Policy): string[] {
  return network ? [...SYSTEM_FILES, ...NETWORK_FILES] : SYSTEM_FILES
}

function devicesOf({ terminal }: Policy): string[] {
  return terminal ? [...DEVICES, ...TERMINAL_DEVICES] : DEVICES
}

/**
 * A program that the administrator named by its whole path may lie where others do not; only not where
 * people put files.
 */
function namedProgram({ argv, top }: Policy): string[] {
  const [program = ''] = argv
  const covered = [...SYSTEM_FOLDERS, top].some((folder) => program.startsWith(`${folder}/`))
  return program.startsWith('/') && !covered ? [program] : []
}

/**
 * A superuser's program keeps the rights on files that the server has, within the walls, and no
 * other power. For everybody else there is nothing to drop.
 */
function dropCapabilities(): void {
  for (let capability = 0; capability <= LAST_CAPABILITY; capability += 1) {
    if (KEPT_CAPABILITIES.includes(capability)) continue
    try {
      call('prctl', PR_CAPBSET_DROP, capability, 0, 0, 0)
    } catch (error) {
      // EINVAL: the kernel knows no more of them. EPERM: an ordinary user, who has none.
      if (error instanceof CallFailed && ['EINVAL', 'EPERM'].includes(error.code)) break
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

function limit({ limits, terminal }: Policy, countsAnew: boolean): void {
  setLimit(RLIMIT.core, 0)
  setLimit(RLIMIT.openFiles, OPEN_FILES)
  if (!terminal) setLimit(RLIMIT.cpu, limits.cpuSec)
  if (limits.fileBytes > 0) setLimit(RLIMIT.fileSize, limits.fileBytes)
  // Where processes are counted per user, the user's others would count as well.
  if (countsAnew) setLimit(RLIMIT.processes, limits.processes)
  setLimit(RLIMIT.data, limits.memoryBytes)
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

/** Looks for the program as a shell would, and becomes it. */
function become({ argv, env }: Policy): JailEnd {
  const [program = ''] = argv
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const candidates = program.includes('/')
    ? [program]
    : PROGRAM_PATH.split(':').map((folder) => `${folder}/${program}`)
  let found = false
  for (const path of candidates) {
    try {
      if (!statSync(path).isFile()) continue
      found = true
      accessSync(path, constants.X_OK)
      execve(path, argv, settings)
    } catch {
      // The next folder may hold one that can be run.
    }
  }
  return found
    ? { code: JAIL_EXIT.notExecutable, say: `${program}: cannot be run here` }
    : { code: JAIL_EXIT.notFound, say: `${program}: not found` }
}

/** Whether the path still leads to the folder that was opened. */
function sameObject(here: string, path: string): boolean {
  const [a, b] = [statSync(here), statSync(path)]
  return a.dev === b.dev && a.ino === b.ino
}
