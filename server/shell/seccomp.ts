/**
 * A filter on system calls, for what Landlock has no word for: sockets, leaving the session, and,
 * where the jail has no root of its own, changing what is written about files rather than in them.
 * A classic BPF program (seccomp(2)); no privilege is needed, and it is inherited for good.
 */
import { addressOf, type CallName, call, numberOf } from './syscalls.ts'

const PR_SET_SECCOMP = 22
const MODE_FILTER = 2

/** Instruction codes of classic BPF, and where seccomp puts what they look at. */
const LOAD = 0x20
const AND = 0x54
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const RETURN = 0x06
const AT_NUMBER = 0
const AT_ARCHITECTURE = 4
const ARCHITECTURE = process.arch === 'arm64' ? 0xc00000b7 : 0xc000003e
/** x64 has a second set of numbers for the same calls, from here on. */
const X32_NUMBERS = 0x40000000

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const REFUSE = 0x00050001 // EPERM

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
  'mount',
  'umount2',
  'pivot_root',
  'mount_setattr',
]

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

export interface CallPolicy {
  sockets: 'any' | 'network' | 'none'
  /** Job control of a terminal: process groups within the session. */
  groups: boolean
  /** The jail sees nothing but its own files, so calls by path meet nothing else. */
  ownRoot: boolean
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/** Installs the filter on this thread and what it becomes. Needs no_new_privs. @throws CallFailed */
export function filterCalls(policy: CallPolicy): void {
  const program = programOf(policy)
  const code = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, [operation, ifTrue, ifFalse, value]] of program.entries()) {
    code.setUint16(index * 8, operation, true)
    code.setUint8(index * 8 + 2, ifTrue)
    code.setUint8(index * 8 + 3, ifFalse)
    code.setUint32(index * 8 + 4, value, true)
  }
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
    ...(groups ? [] : refuse('setpgid')),
    ...(ownRoot ? [] : [...BY_PATH.flatMap(refuse), ...refuseTimesByPath()]),
    ...(sockets === 'any' ? [] : refuseSockets(sockets === 'network')),
    [RETURN, 0, 0, ALLOW],
  ]
}

function refuse(name: CallName): Instruction[] {
  return when(name, [[RETURN, 0, 0, REFUSE]])
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
      [RETURN, 0, 0, REFUSE],
    ]),
    // A datagram pair could be turned to any unix socket that has a name.
    ...when('socketpair', [
      [LOAD, 0, 0, argument(1)],
      [AND, 0, 0, SOCK_TYPE_MASK],
      [JUMP_EQUAL, 0, 1, SOCK_DGRAM],
      [RETURN, 0, 0, REFUSE],
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
    [RETURN, 0, 0, REFUSE],
  ])
}

/** Runs `block` for one call; afterwards the call's number is loaded again. */
function when(name: CallName, block: Instruction[]): Instruction[] {
  const number = numberOf(name)
  if (number < 0) return []
  return [[JUMP_EQUAL, 0, block.length + 1, number], ...block, [LOAD, 0, 0, AT_NUMBER]]
}

/** Where the lower half of an argument lies. */
function argument(index: number): number {
  return 16 + index * 8
}
