/**
 * The two processes that stand beside a program in a process namespace of its own
 * (pid_namespaces(7)): an init, which takes in what the program leaves behind and whose end is everybody's
 * end, and outside of it this one, which ends as the program ended.
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
/** struct sigaction of the kernel: the handler comes first. */
const SIGACTION_BYTES = 32
const STANDARD_FDS = [0, 1, 2]
const O_CLOEXEC = 0o2000000
/** wait4(2): told when a child stops, too. */
const WUNTRACED = 2
const STOPPED = 0x7f
/** Makes a group the one that the terminal's keys are for. */
const TIOCSPGRP = 0x5410

const MADV_DOFORK = 11

export interface End {
  code: number
  warn: string | undefined
}

/**
 * Lets the code that the runtime makes while it runs be in copies of this process, from which it is kept
 * otherwise. Needs /proc.
 *
 * @throws SystemError
 */
export function readyToFork(): void {
  for (const line of readFileSync('/proc/self/maps', 'latin1').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rwxp \S+ 00:00 0\s*$/.exec(line) ?? []
    if (!from || !to) continue
    const start = BigInt(`0x${from}`)
    call('madvise', start, BigInt(`0x${to}`) - start, MADV_DOFORK)
  }
}

/**
 * Starts the program as a child in the namespace that this process's children are born into, and waits.
 *
 * @param become becomes the program; returns only when there is none
 * @param terminal the standard input is one, and the program's group is the one in front
 * @throws SystemError when the system starts no more processes
 */
export function supervise(become: () => End, terminal: boolean): never {
  const ends = new Uint32Array(2)
  call('pipe2', ends, O_CLOEXEC)
  const [mine = 0, others = 0] = ends
  if (fork() === 0) actAsInit(mine, others)
  const program = fork()
  if (program === 0) {
    if (terminal) stepInFront()
    const { code, warn: say } = become()
    if (say) writeSync(2, `${say}\n`)
    exit(code)
  }
  // What is meant for the program reaches it by itself; this process goes when the program has gone.
  for (let signal = 1; signal <= LAST_SIGNAL; signal += 1) {
    if (signal !== SIGCHLD) handle(signal, SIG_IGN)
  }
  for (const fd of [...STANDARD_FDS, mine]) closeQuietly(fd)
  return endAs(statusOf(program))
}

/**
 * The first process of the namespace, until the one outside is gone: with it everything here ends.
 * Nothing in the namespace can end it.
 */
function actAsInit(mine: number, others: number): never {
  // Whoever is left behind is forgotten when it ends.
  handle(SIGCHLD, SIG_IGN)
  for (const fd of [...STANDARD_FDS, others]) closeQuietly(fd)
  try {
    call('read', mine, new Uint8Array(1), 1)
  } catch {
    // Whatever ends the waiting ends the namespace.
  }
  return exit(0)
}

/** Makes a group of this process and puts it in front, as a shell does with what it starts. */
function stepInFront(): void {
  const [masked, before] = [new BigUint64Array([1n << BigInt(SIGTTOU - 1)]), new BigUint64Array(1)]
  call('rt_sigprocmask', SIG_BLOCK, masked, before, SIGNAL_SET_BYTES)
  call('setpgid', 0, 0)
  call('ioctl', 0, TIOCSPGRP, new Uint32Array([call('getpid')]))
  call('rt_sigprocmask', SIG_SETMASK, before, 0, SIGNAL_SET_BYTES)
}

/** Waits for the end of a child. Nobody is there to wake it when it is stopped, so it goes on. */
function statusOf(child: number): number {
  const status = new Uint32Array(1)
  for (;;) {
    call('wait4', child, status, WUNTRACED, 0)
    const [word = 0] = status
    if ((word & 0xff) !== STOPPED) return word
    call('kill', child, SIGCONT)
  }
}

/** Ends with the same code, or by the same signal. */
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

/** At once: in a copy of a process nothing of the runtime is to be put in order. */
function exit(code: number): never {
  for (;;) call('exit_group', code)
}

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
