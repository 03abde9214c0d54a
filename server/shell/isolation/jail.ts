/**
 * Runs inside a new process: the executable starts itself again with a policy, restricts itself, and becomes the
 * program. The restrictions apply to all child processes and cannot be removed.
 *
 * Here and in the other files of the jail a call is a system call, and the policy is that of the jail (policy.ts).
 */
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { prepareExec } from '#server/os/exec.ts'
import { O_PATH } from '#server/os/flags.ts'
import { call } from '#server/os/libc.ts'
import { openWithoutLinks } from '#server/os/open-beneath.ts'
import {
  DEVICE,
  landlockVersion,
  MAKE_SOCKET,
  READ,
  READ_EXECUTE,
  READ_WRITE,
  Ruleset,
} from './landlock.ts'
import { enterGroup } from './pids-cgroup.ts'
import {
  DEVICES,
  HELPER_PROCESSES,
  NETWORK_FILES,
  POLICY_VARIABLE,
  type Policy,
  PROGRAM_PATH,
  policyShape,
  ROOT_FD,
  SYSTEM_FILES,
  SYSTEM_FOLDERS,
  TERMINAL_DEVICES,
} from './policy.ts'
import { enterPrivateRoot } from './private-root.ts'
import {
  dropCapabilities,
  resetProcessState,
  setMemoryLimit,
  setResourceLimits,
} from './process-limits.ts'
import { type CallPolicy, filterCalls } from './seccomp.ts'
import { type ExitStatus, prepareFork, supervise } from './supervisor.ts'

const PR_SET_PDEATHSIG = 1
const PR_SET_NO_NEW_PRIVS = 38
const SIGKILL = 9
const CLOSE_ON_EXEC = 4
const LAST_FD = 0xffffffff

/** Exit codes if no program was started. Shells use 126 and 127 in the same way; 125 is that of env(1). */
const JAIL_EXIT = { notBuilt: 125, notExecutable: 126, notFound: 127 } as const

/**
 * Applies the policy in the environment and executes its program.
 *
 * @returns only if no program was executed: the policy is invalid, the jail cannot be built, the program is not found
 *   or cannot be executed, or the policy has no program and only tests the isolation (exit code 0)
 */
export function enterJail(env: NodeJS.ProcessEnv): ExitStatus {
  let policy: Policy
  try {
    policy = policyShape.parse(JSON.parse(env[POLICY_VARIABLE] ?? ''))
  } catch {
    return { code: JAIL_EXIT.notBuilt, warn: 'This command is for filemgr itself.' }
  }
  try {
    build(policy)
  } catch (error) {
    return {
      code: JAIL_EXIT.notBuilt,
      warn: error instanceof Error ? error.message : String(error),
    }
  }
  if (policy.argv.length === 0) return { code: 0, warn: undefined }
  const start = () => executeProgram(policy)
  return policy.isolation === 'root' ? supervise(start, policy.terminal) : start()
}

/** Restricts this process by the policy. The order matters: each step needs what the later ones take away. */
function build(policy: Policy): void {
  endWithServer(policy.parent)
  if (policy.isolation === 'root') prepareFork()
  else if (policy.workspaceBytes !== undefined) throw new Error('A workspace needs a private root.')
  call('fchdir', ROOT_FD)
  if (!isSameObject('.', policy.rootFolder)) throw new Error('The folder was moved.')
  if (policy.group !== undefined)
    enterGroup(policy.group, policy.limits.processes + HELPER_PROCESSES)
  const hasOwnProcessCount = policy.isolation === 'root' && enterOwnRoot(policy)
  const rootFd = enterFolder(policy.folder)
  const isConfined = policy.isolation !== 'none'
  if (isConfined) dropCapabilities()
  call('prctl', PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
  if (isConfined) landlock(policy, rootFd)
  call('close_range', ROOT_FD, LAST_FD, CLOSE_ON_EXEC)
  resetProcessState()
  setResourceLimits(policy, hasOwnProcessCount)
  filterCalls({
    sockets: socketsOf(policy),
    groups: policy.terminal,
    ownRoot: !isConfined || policy.isolation === 'root',
  })
}

function socketsOf({ isolation, network, workspaceBytes }: Policy): CallPolicy['sockets'] {
  if (isolation === 'none') return 'any'
  if (network) return 'network'
  return workspaceBytes === undefined ? 'none' : 'unix'
}

/** Ends this process when the server ends, also if it ended before this call. */
function endWithServer(parent: number): void {
  call('prctl', PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
  if (call('getppid') !== parent) throw new Error('The server is gone.')
}

/** @returns whether processes are counted separately from the user's others */
function enterOwnRoot(policy: Policy): boolean {
  const only = onlyPath(policy)
  return enterPrivateRoot({
    mountPoint: policy.newRoot,
    readable: [...SYSTEM_FOLDERS, ...readableFiles(policy), ...namedProgram(policy)],
    devices: devicesOf(policy),
    writable: policy.only === undefined ? [policy.temporary] : [],
    workspace:
      policy.workspaceBytes === undefined
        ? undefined
        : { path: policy.temporary, sizeBytes: policy.workspaceBytes },
    rootFolder: policy.rootFolder,
    only: only === undefined ? undefined : { path: only, open: () => openFromWorkingFolder(only) },
    hidden: policy.hidden,
    silent: policy.silent,
  })
}

/**
 * Makes `folder` the working folder, without following links.
 *
 * @returns a descriptor of the root folder
 */
function enterFolder(folder: string): number {
  const rootFd = openSync('.', O_PATH)
  const fd = openBelow(rootFd, folder, O_PATH | constants.O_DIRECTORY)
  call('fchdir', fd)
  closeSync(fd)
  return rootFd
}

/** The path of the one readable file, relative to the root folder. */
function onlyPath({ only, folder }: Policy): string | undefined {
  return only === undefined ? undefined : `${folder === '/' ? '' : folder}/${only}`
}

/** Opens a path relative to the working folder. */
function openFromWorkingFolder(path: string): number {
  return openBelow(openSync('.', O_PATH), path, O_PATH)
}

/**
 * Opens a path relative to an open folder, without following links.
 *
 * @throws SystemError
 */
function openBelow(folder: number, path: string, flags: number): number {
  return openWithoutLinks(folder, `.${path}`, flags)
}

function landlock(policy: Policy, rootFd: number): void {
  const rules = new Ruleset(landlockVersion(), policy.network)
  for (const path of SYSTEM_FOLDERS) rules.allowPath(path, READ_EXECUTE)
  for (const path of readableFiles(policy)) rules.allowPath(path, READ)
  for (const path of namedProgram(policy)) rules.allowPath(path, READ_EXECUTE)
  for (const path of devicesOf(policy)) rules.allowPath(path, DEVICE)
  const only = onlyPath(policy)
  if (policy.workspaceBytes !== undefined)
    rules.allowPath(policy.temporary, READ_WRITE | MAKE_SOCKET)
  if (only !== undefined) rules.allow(openBelow(rootFd, only, O_PATH), READ)
  else {
    rules.allowPath(policy.temporary, READ_WRITE)
    rules.allow(rootFd, READ_WRITE)
  }
  rules.enforce()
}

function readableFiles({ network }: Policy): string[] {
  return network ? [...SYSTEM_FILES, ...NETWORK_FILES] : SYSTEM_FILES
}

function devicesOf({ terminal }: Policy): string[] {
  return terminal ? [...DEVICES, ...TERMINAL_DEVICES] : DEVICES
}

/**
 * A program that the administrator named by its absolute path may be outside the system folders, but not in the
 * served folder.
 */
function namedProgram({ argv, rootFolder }: Policy): string[] {
  const [program = ''] = argv
  const covered = [...SYSTEM_FOLDERS, rootFolder].some((folder) => program.startsWith(`${folder}/`))
  return program.startsWith('/') && !covered ? [program] : []
}

/** Searches the program like a shell, and executes it. */
function executeProgram({ argv, env, limits }: Policy): ExitStatus {
  const [program = ''] = argv
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const candidates = program.includes('/')
    ? [program]
    : PROGRAM_PATH.split(':').map((folder) => `${folder}/${program}`)
  let hasFound = false
  for (const path of candidates) {
    try {
      if (!statSync(path).isFile()) continue
      hasFound = true
      accessSync(path, constants.X_OK)
      const exec = prepareExec(path, argv, settings)
      // Set last, because this runtime may already use more memory.
      setMemoryLimit(limits.memoryBytes)
      exec()
    } catch {
      // The next folder may contain an executable one.
    }
  }
  return hasFound
    ? { code: JAIL_EXIT.notExecutable, warn: `${program}: cannot be run here` }
    : { code: JAIL_EXIT.notFound, warn: `${program}: not found` }
}

/** Whether two paths are of the same file or folder. */
function isSameObject(pathA: string, pathB: string): boolean {
  const [a, b] = [statSync(pathA), statSync(pathB)]
  return a.dev === b.dev && a.ino === b.ino
}
