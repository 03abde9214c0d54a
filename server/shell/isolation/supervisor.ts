/**
 * The two helper processes of a program in its own process namespace (pid_namespaces(7)): an init inside, which
 * adopts orphans and whose end ends all, and this one outside, which exits with the program's status.
 */
import { readFileSync, writeSync } from 'node:fs'
import { SystemError } from '#server/os/errno.ts'
import { call } from '#server/os/libc.ts'

const SIGCHLD = 17
const SIGCONT = 18
const SIGKILL = 9
const SIGSTOP = 19
const SIGTTOU = 22
const LAST_SIGNAL = 64
const SIG_DFL = 0
const SIG_IGN = 1
const SIG_BLOCK = 0
const SIG_SETMASK = 2
const SIGNAL_SET_BYTES = 8
/** struct sigaction of the kernel, which starts with the handler. */
const SIGACTION_BYTES = 32
const STANDARD_FDS = [0, 1, 2]
const O_CLOEXEC = 0o2000000
/** wait4(2): also reports stopped children. */
const WUNTRACED = 2
const STOPPED = 0x7f
/** Makes a process group the foreground group of the terminal. */
const TIOCSPGRP = 0x5410

const MADV_DOFORK = 11

export interface ExitStatus {
  code: number
  warn: string | undefined
}

/**
 * Allows the runtime's generated code in forked processes. Needs /proc.
 *
 * @throws SystemError
 */
export function prepareFork(): void {
  for (const line of readFileSync('/proc/self/maps', 'latin1').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rwxp \S+ 00:00 0\s*$/.exec(line) ?? []
    if (!from || !to) continue
    const start = BigInt(`0x${from}`)
    call('madvise', start, BigInt(`0x${to}`) - start, MADV_DOFORK)
  }
}

/**
 * Starts the program as a child in the new process namespace, and waits.
 *
 * @param execute replaces this process by the program; returns only if there is none
 * @param terminal whether the standard input is one, so that the program's group becomes its foreground group
 * @throws SystemError if the system cannot start a process
 */
export function supervise(execute: () => ExitStatus, terminal: boolean): never {
  const pipe = new Uint32Array(2)
  call('pipe2', pipe, O_CLOEXEC)
  const [readEnd = 0, writeEnd = 0] = pipe
  if (fork() === 0) actAsInit(readEnd, writeEnd)
  const program = fork()
  if (program === 0) {
    if (terminal) becomeForeground()
    const { code, warn: message } = execute()
    if (message) writeSync(2, `${message}\n`)
    exit(code)
  }
  // Signals reach the program directly; this process ends after it.
  for (let signal = 1; signal <= LAST_SIGNAL; signal += 1) {
    if (signal !== SIGCHLD) handle(signal, SIG_IGN)
  }
  for (const fd of [...STANDARD_FDS, readEnd]) closeQuietly(fd)
  return endAs(statusOf(program))
}

/**
 * The init of the namespace. It ends when the outside process does, which kills all processes in the namespace.
 * Nothing inside can end it.
 */
function actAsInit(readEnd: number, writeEnd: number): never {
  // Orphans are reaped automatically.
  handle(SIGCHLD, SIG_IGN)
  for (const fd of [...STANDARD_FDS, writeEnd]) closeQuietly(fd)
  try {
    call('read', readEnd, new Uint8Array(1), 1)
  } catch {
    // If waiting fails, the namespace ends.
  }
  return exit(0)
}

/** Makes this process the foreground group, as a shell does for its children. */
function becomeForeground(): void {
  const [newMask, oldMask] = [
    new BigUint64Array([1n << BigInt(SIGTTOU - 1)]),
    new BigUint64Array(1),
  ]
  call('rt_sigprocmask', SIG_BLOCK, newMask, oldMask, SIGNAL_SET_BYTES)
  call('setpgid', 0, 0)
  call('ioctl', 0, TIOCSPGRP, new Uint32Array([call('getpid')]))
  call('rt_sigprocmask', SIG_SETMASK, oldMask, 0, SIGNAL_SET_BYTES)
}

/** Waits for a child and returns its wait status. A stopped child is continued, because no other process would. */
function statusOf(child: number): number {
  const status = new Uint32Array(1)
  for (;;) {
    call('wait4', child, status, WUNTRACED, 0)
    const [word = 0] = status
    if ((word & 0xff) !== STOPPED) return word
    call('kill', child, SIGCONT)
  }
}

/** Ends this process with the code or the signal of a wait status. */
function endAs(status: number): never {
  const signal = status & 0x7f
  if (signal !== 0) {
    handle(signal, SIG_DFL)
    call('kill', call('getpid'), signal)
  }
  return exit(signal === 0 ? (status >> 8) & 0xff : 128 + signal)
}

function fork(): number {
  return call('clone', SIGCHLD, 0, 0, 0, 0)
}

/** Exits at once, because a forked runtime must not clean up. */
function exit(code: number): never {
  for (;;) call('exit_group', code)
}

/** Sets what a signal does: `SIG_DFL` or `SIG_IGN`. */
function handle(signal: number, handler: number): void {
  if (signal === SIGKILL || signal === SIGSTOP) return
  const action = new DataView(new ArrayBuffer(SIGACTION_BYTES))
  action.setUint32(0, handler, true)
  call('rt_sigaction', signal, action, 0, SIGNAL_SET_BYTES)
}

function closeQuietly(fd: number): void {
  try {
    call('close', fd)
  } catch (error) {
    if (!(error instanceof SystemError)) throw error
  }
}
