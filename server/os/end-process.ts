/**
 * Ends the process at once, also while disks do not respond. `process.exit` waits for the threads that wait for a disk; and
 * at the end of a process the kernel closes its files, which waits for their disks (FUSE sends a flush).
 */
import { FFIType, type Pointer, toArrayBuffer } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { addressOf, call, cName, openLibrary } from './libc.ts'

/** clone(2): parent and child have one table of open files. */
const CLONE_FILES = 0x400
/** What another process may wait for the end of. */
const CONNECTIONS = /^(pipe|socket):/
/** How long the child lives: longer than the end of this process takes. */
const CHILD_SEC = 5n
/** At most 15 characters (PR_SET_NAME(2const)). */
const CHILD_NAME = 'filemgr-ended'
/** What the child has as its command line, as far as it fits into that of the server. */
const CHILD_WORDS = 'filemgr has ended. Its files on a disk that does not respond are being closed.'
const PR_SET_NAME = 15
/** The position of the address of the command line in /proc/PID/stat, behind the program's name (proc_pid_stat(5)). */
const ARG_START_FIELD = 45
const STACK_BYTES = 64 * 1024
const STACK_ALIGNMENT = 16n

/** @param code the exit code */
export function endProcess(code: number): never {
  try {
    leaveFilesToChild()
    call('exit_group', code)
  } catch {
    // Not on this system.
  }
  process.exit(code)
}

/**
 * The kernel closes the files when the last process that has them ends. That is a child, for which no process waits. It
 * runs only sleep(3) of the C library, since the runtime's compiled code is not available in a forked process.
 */
function leaveFilesToChild(): void {
  const { i32, u64, ptr } = FFIType
  const libc = openLibrary({
    clone: { args: [u64, u64, i32, u64], returns: i32 },
    dlsym: { args: [u64, ptr], returns: u64 },
  })
  const sleep = libc?.dlsym(0n, cName('sleep'))
  if (!libc || !sleep) return
  // Otherwise a program that reads the output would wait for the child.
  for (const fd of readdirSync('/proc/self/fd')) if (isConnection(fd)) closeQuietly(Number(fd))
  rename()
  const stack = new Uint8Array(STACK_BYTES)
  const top = addressOf(stack) + BigInt(STACK_BYTES)
  libc.clone(sleep, top - (top % STACK_ALIGNMENT), CLONE_FILES, CHILD_SEC)
}

/** Gives this process, and so the child, another name and command line: the child is not the server. */
function rename(): void {
  try {
    call('prctl', PR_SET_NAME, CHILD_NAME)
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [first, end] = fields.slice(ARG_START_FIELD, ARG_START_FIELD + 2).map(Number)
    if (!first || !end) return
    const words = new Uint8Array(toArrayBuffer(first as Pointer, 0, end - first))
    words.fill(0)
    // A NUL ends it.
    words.set(new TextEncoder().encode(CHILD_WORDS).subarray(0, words.length - 1))
  } catch {
    // It has the name of the server then.
  }
}

function isConnection(fd: string): boolean {
  try {
    return CONNECTIONS.test(readlinkSync(`/proc/self/fd/${fd}`))
  } catch {
    return false
  }
}

function closeQuietly(fd: number): void {
  try {
    call('close', fd)
  } catch {
    // It is closed.
  }
}
