/**
 * A filter of system calls for what Landlock cannot restrict: sockets, leaving the session, other processes,
 * set-user-ID bits and, without a private root, changes of file metadata. A classic BPF program (seccomp(2)); it
 * needs no privilege and is inherited.
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
  failAsUnknown,
  forCall,
  type Instruction,
  JUMP_AT_LEAST,
  JUMP_EQUAL,
  KILL,
  LOAD,
  REFUSE,
  RETURN,
  refuse,
  refuseBits,
  refuseUnless,
} from './bpf.ts'

const PR_SET_SECCOMP = 22
const MODE_FILTER = 2

const ARCHITECTURE = process.arch === 'arm64' ? 0xc00000b7 : 0xc000003e
/** x64 has a second set of call numbers from here on. */
const X32_NUMBERS = 0x40000000

const SOCK_DGRAM = 2
const SOCK_TYPE_MASK = 0xf
/**
 * The families of sockets. `network`: IPv4, IPv6, and netlink, which programs use to read their addresses. `unix`: only
 * for programs with a private root and a network namespace of their own, which reach no other sockets.
 */
const FAMILIES = { network: [2, 10, 16], unix: [1], none: [] } as const

/** Calls that isolated programs do not need. */
const REFUSED_CALLS: CallName[] = [
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
  // Access to the memory and descriptors of other processes.
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'process_madvise',
  'process_mrelease',
  'pidfd_getfd',
  'kcmp',
  // Watches for changes: an account has few (128), and the server needs them for its own. Programs ask again instead.
  'inotify_init',
  'inotify_init1',
  'fanotify_init',
]

/** Memory outside any process, which no limit counts and which may outlive its program. */
const UNCOUNTED_MEMORY: CallName[] = [
  'memfd_create',
  'memfd_secret',
  'shmget',
  'msgget',
  'semget',
  'mq_open',
]
/** fcntl(2): enlarges a pipe beyond 64 KiB. */
const F_SETPIPE_SZ = 1031

/** Calls that change modes, owners, times, attributes or lengths by a path, anywhere on the disk. */
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

/** Calls on another process by its number; only 0, the caller, is allowed. */
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

/** S_ISUID and S_ISGID, which would give the owner's rights to other users of the file. */
const SET_ID_BITS = 0o6000
/** Calls that set a mode, and the index of that argument. */
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
/** O_CREAT and O_TMPFILE: without them the mode argument of an open is ignored. */
const MAKES_A_FILE = 0o100 | 0o20000000

/** CLONE_PARENT would create a child of the supervisor, which would not reap it. */
const CLONE_PARENT = 0x8000
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; refused for `unshare` too. */
const NEW_NAMESPACES = 0x7e020000

export interface CallPolicy {
  sockets: 'any' | keyof typeof FAMILIES
  /** Allows process groups within the session, for job control in a terminal. */
  groups: boolean
  /** The program has a private root, so calls by path reach only its own files. */
  ownRoot: boolean
}

/**
 * Installs the filter on this thread and its children. Needs no_new_privs.
 *
 * @throws SystemError
 */
export function filterCalls(policy: CallPolicy): void {
  const program = programOf(policy)
  const code = assemble(program)
  // struct sock_fprog: a length and a pointer.
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
    ...REFUSED_CALLS.flatMap(refuse),
    ...UNCOUNTED_MEMORY.flatMap(failAsUnknown),
    ...refuseLargePipes(),
    ...refuseOtherProcesses(),
    ...refuseSetIds(),
    ...(groups ? [] : refuse('setpgid')),
    ...(ownRoot ? [] : [...BY_PATH.flatMap(refuse), ...refuseTimesByPath()]),
    ...(sockets === 'any' ? [] : refuseSockets(FAMILIES[sockets])),
    [RETURN, 0, 0, ALLOW],
  ]
}

function refuseLargePipes(): Instruction[] {
  return forCall('fcntl', [[LOAD, 0, 0, argument(1)], [JUMP_EQUAL, 0, 1, F_SETPIPE_SZ], REFUSE])
}

/** Refuses limits and priorities of other processes, and children with another parent. */
function refuseOtherProcesses(): Instruction[] {
  return [
    ...OWN_PROCESS.flatMap((name) => refuseUnless(name, [0, 0])),
    ...refuseUnless('setpriority', [0, PRIO_PROCESS], [1, 0]),
    ...refuseUnless('ioprio_set', [0, IOPRIO_WHO_PROCESS], [1, 0]),
    ...refuseBits('clone', 0, CLONE_PARENT | NEW_NAMESPACES),
    // Its flags are in memory, which a filter cannot read; libraries fall back on `clone`.
    ...failAsUnknown('clone3'),
  ]
}

/** Refuses set-user-ID and set-group-ID bits. */
function refuseSetIds(): Instruction[] {
  const ifCreating = (index: number) => ({ index, bits: MAKES_A_FILE })
  return [
    ...MODE_ARGUMENTS.flatMap(([name, index]) => refuseBits(name, index, SET_ID_BITS)),
    ...refuseBits('open', 2, SET_ID_BITS, ifCreating(1)),
    ...refuseBits('openat', 3, SET_ID_BITS, ifCreating(2)),
    // Its mode is in memory; programs fall back on `openat`.
    ...failAsUnknown('openat2'),
  ]
}

/** Refuses sockets of other families; if there is none, also the calls on sockets. */
function refuseSockets(families: readonly number[]): Instruction[] {
  return [
    ...(families.length > 0 ? [] : (['connect', 'bind'] as const).flatMap(refuse)),
    ...forCall('socket', [
      [LOAD, 0, 0, argument(0)],
      ...families.map((family, index): Instruction => {
        return [JUMP_EQUAL, families.length - index, 0, family]
      }),
      REFUSE,
    ]),
    // A datagram pair could be connected to any named unix socket.
    ...forCall('socketpair', [
      [LOAD, 0, 0, argument(1)],
      [AND, 0, 0, SOCK_TYPE_MASK],
      [JUMP_EQUAL, 0, 1, SOCK_DGRAM],
      REFUSE,
    ]),
  ]
}

/** Without a path, utimensat works on an open file, which is allowed. */
function refuseTimesByPath(): Instruction[] {
  return forCall('utimensat', [
    [LOAD, 0, 0, argument(1)],
    [JUMP_EQUAL, 0, 2, 0],
    [LOAD, 0, 0, argument(1) + 4],
    [JUMP_EQUAL, 1, 0, 0],
    REFUSE,
  ])
}
