/**
 * A filter on system calls, for what Landlock has no word for: sockets, leaving the session, other
 * processes, set-user-ID bits, and, where the jail has no root of its own, changing what is written
 * about files rather than in them. A classic BPF program (seccomp(2)); no privilege is needed, and it is
 * inherited for good.
 */

import type { CallName } from '#server/os/call-numbers.ts'
import { addressOf, call } from '#server/os/libc.ts'
import {
  ALLOW,
  AND,
  AT_ARCHITECTURE,
  AT_NUMBER,
  argument,
  assemble,
  type Instruction,
  JUMP_AT_LEAST,
  JUMP_EQUAL,
  KILL,
  LOAD,
  RETURN,
  refuse,
  refuseBits,
  refused,
  refuseUnless,
  unknown,
  when,
} from './bpf.ts'

const PR_SET_SECCOMP = 22
const MODE_FILTER = 2

const ARCHITECTURE = process.arch === 'arm64' ? 0xc00000b7 : 0xc000003e
/** x64 has a second set of numbers for the same calls, from here on. */
const X32_NUMBERS = 0x40000000

const SOCK_DGRAM = 2
const SOCK_TYPE_MASK = 0xf
/** IPv4, IPv6, and netlink, by which programs ask for their addresses. Never unix sockets. */
const NETWORK_FAMILIES = [2, 10, 16]

/** What no jailed program has a use for. */
const NEVER: CallName[] = [
  'setsid',
  'io_uring_setup',
  'open_by_handle_at',
  'bpf',
  'perf_event_open',
  'userfaultfd',
  'add_key',
  'keyctl',
  'request_key',
  'setns',
  'unshare',
  'chroot',
  'mount',
  'umount2',
  'pivot_root',
  'mount_setattr',
  'open_tree',
  'open_tree_attr',
  'move_mount',
  'fsopen',
  'fsconfig',
  'fsmount',
  'fspick',
  // Into the memory and the descriptors of other processes.
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'process_madvise',
  'process_mrelease',
  'pidfd_getfd',
  'kcmp',
]

/** Memory that no process has, so that nobody counts it: it may also stay when its program has ended. */
const UNCOUNTED_MEMORY: CallName[] = [
  'memfd_create',
  'memfd_secret',
  'shmget',
  'msgget',
  'semget',
  'mq_open',
]
/** fcntl(2): a pipe that holds more than its 64 KiB. */
const F_SETPIPE_SZ = 1031

/** Calls that change modes, owners, times, attributes and lengths by a path, anywhere on the disk. */
const BY_PATH: CallName[] = [
  'chmod',
  'fchmodat',
  'fchmodat2',
  'chown',
  'lchown',
  'fchownat',
  'utime',
  'utimes',
  'futimesat',
  'setxattr',
  'lsetxattr',
  'setxattrat',
  'removexattr',
  'lremovexattr',
  'removexattrat',
  'file_setattr',
  'truncate',
]

/** Calls that would change or read another process by its number: the caller alone, which is 0. */
const OWN_PROCESS: CallName[] = [
  'prlimit64',
  'sched_setaffinity',
  'sched_setscheduler',
  'sched_setparam',
  'sched_setattr',
  'migrate_pages',
  'move_pages',
  'get_robust_list',
]
const PRIO_PROCESS = 0
const IOPRIO_WHO_PROCESS = 1

/** S_ISUID and S_ISGID: who runs such a file becomes its owner, outside the jail too. */
const SET_ID_BITS = 0o6000
/** The calls that give a mode, and the argument it is in. */
const MODE_ARGUMENTS: readonly (readonly [CallName, number])[] = [
  ['chmod', 1],
  ['fchmod', 1],
  ['fchmodat', 2],
  ['fchmodat2', 2],
  ['creat', 1],
  ['mkdir', 1],
  ['mkdirat', 2],
  ['mknod', 1],
  ['mknodat', 2],
]
/** O_CREAT and O_TMPFILE: without them an open has no mode, whatever is in its place. */
const MAKES_A_FILE = 0o100 | 0o20000000

/** CLONE_PARENT: a child of the jail's own supervisor, which would never ask how it ended. */
const CLONE_PARENT = 0x8000
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET: what `unshare` may not do either. */
const NEW_NAMESPACES = 0x7e020000

export interface CallPolicy {
  sockets: 'any' | 'network' | 'none'
  /** Job control of a terminal: process groups within the session. */
  groups: boolean
  /** The jail sees nothing but its own files, so calls by path meet nothing else. */
  ownRoot: boolean
}

/** Installs the filter on this thread and what it becomes. Needs no_new_privs. @throws SystemError */
export function filterCalls(policy: CallPolicy): void {
  const program = programOf(policy)
  const code = assemble(program)
  // struct sock_fprog: a length, and where the instructions lie.
  const header = new DataView(new ArrayBuffer(16))
  header.setUint16(0, program.length, true)
  header.setBigUint64(8, addressOf(code), true)
  call('prctl', PR_SET_SECCOMP, MODE_FILTER, header, 0, 0)
}

function programOf({ sockets, groups, ownRoot }: CallPolicy): Instruction[] {
  return [
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, ARCHITECTURE],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, AT_NUMBER],
    [JUMP_AT_LEAST, 0, 1, X32_NUMBERS],
    [RETURN, 0, 0, KILL],
    ...NEVER.flatMap(refuse),
    ...UNCOUNTED_MEMORY.flatMap(unknown),
    ...refuseLargePipes(),
    ...refuseOtherProcesses(),
    ...refuseSetIds(),
    ...(groups ? [] : refuse('setpgid')),
    ...(ownRoot ? [] : [...BY_PATH.flatMap(refuse), ...refuseTimesByPath()]),
    ...(sockets === 'any' ? [] : refuseSockets(sockets === 'network')),
    [RETURN, 0, 0, ALLOW],
  ]
}

function refuseLargePipes(): Instruction[] {
  return when('fcntl', [[LOAD, 0, 0, argument(1)], [JUMP_EQUAL, 0, 1, F_SETPIPE_SZ], refused])
}

/** Limits and priorities of others, and children that are not the caller's own. */
function refuseOtherProcesses(): Instruction[] {
  return [
    ...OWN_PROCESS.flatMap((name) => refuseUnless(name, [0, 0])),
    ...refuseUnless('setpriority', [0, PRIO_PROCESS], [1, 0]),
    ...refuseUnless('ioprio_set', [0, IOPRIO_WHO_PROCESS], [1, 0]),
    ...refuseBits('clone', 0, CLONE_PARENT | NEW_NAMESPACES),
    // Its flags lie in memory, where no filter can look; libraries fall back on `clone`.
    ...unknown('clone3'),
  ]
}

/** No file of people's ever gives its owner's rights to whoever runs it. */
function refuseSetIds(): Instruction[] {
  const making = (index: number) => ({ index, bits: MAKES_A_FILE })
  return [
    ...MODE_ARGUMENTS.flatMap(([name, index]) => refuseBits(name, index, SET_ID_BITS)),
    ...refuseBits('open', 2, SET_ID_BITS, making(1)),
    ...refuseBits('openat', 3, SET_ID_BITS, making(2)),
    // Its mode lies in memory; programs fall back on `openat`.
    ...unknown('openat2'),
  ]
}

/** Sockets of every family but those of the network; without it, also what sockets are for. */
function refuseSockets(network: boolean): Instruction[] {
  const families = network ? NETWORK_FAMILIES : []
  return [
    ...(network ? [] : (['connect', 'bind'] as const).flatMap(refuse)),
    ...when('socket', [
      [LOAD, 0, 0, argument(0)],
      ...families.map((family, index): Instruction => {
        return [JUMP_EQUAL, families.length - index, 0, family]
      }),
      refused,
    ]),
    // A datagram pair could be turned to any unix socket that has a name.
    ...when('socketpair', [
      [LOAD, 0, 0, argument(1)],
      [AND, 0, 0, SOCK_TYPE_MASK],
      [JUMP_EQUAL, 0, 1, SOCK_DGRAM],
      refused,
    ]),
  ]
}

/** Without a path, utimensat works on an open file. */
function refuseTimesByPath(): Instruction[] {
  return when('utimensat', [
    [LOAD, 0, 0, argument(1)],
    [JUMP_EQUAL, 0, 2, 0],
    [LOAD, 0, 0, argument(1) + 4],
    [JUMP_EQUAL, 1, 0, 0],
    refused,
  ])
}
