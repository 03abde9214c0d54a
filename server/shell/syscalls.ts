/**
 * System calls that a jail is built with, through bun:ffi. Linux on x64 and arm64, glibc and musl;
 * numbers are those of the kernel's tables.
 */

import { dlopen, FFIType, type Pointer, ptr, read } from 'bun:ffi'
import { constants } from 'node:os'

/** Name → number on x64 and on arm64; -1 where the architecture never had the call. */
const NUMBERS = {
  add_key: [248, 217],
  bind: [49, 200],
  bpf: [321, 280],
  capget: [125, 90],
  capset: [126, 91],
  chmod: [90, -1],
  chown: [92, -1],
  chroot: [161, 51],
  clone: [56, 220],
  clone3: [435, 435],
  close: [3, 57],
  close_range: [436, 436],
  connect: [42, 203],
  creat: [85, -1],
  execve: [59, 221],
  exit_group: [231, 94],
  fchdir: [81, 50],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  fchownat: [260, 54],
  fcntl: [72, 25],
  file_setattr: [469, 469],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  futimesat: [261, -1],
  get_robust_list: [274, 100],
  getpid: [39, 172],
  getppid: [110, 173],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  ioprio_set: [251, 30],
  kcmp: [312, 272],
  keyctl: [250, 219],
  kill: [62, 129],
  landlock_add_rule: [445, 445],
  landlock_create_ruleset: [444, 444],
  landlock_restrict_self: [446, 446],
  lchown: [94, -1],
  lremovexattr: [198, 15],
  lsetxattr: [189, 6],
  madvise: [28, 233],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  migrate_pages: [256, 238],
  mkdir: [83, -1],
  mkdirat: [258, 34],
  mknod: [133, -1],
  mknodat: [259, 33],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  mq_open: [240, 180],
  msgget: [68, 186],
  open: [2, -1],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  openat: [257, 56],
  openat2: [437, 437],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pipe2: [293, 59],
  pivot_root: [155, 41],
  prctl: [157, 167],
  prlimit64: [302, 261],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  read: [0, 63],
  removexattr: [197, 14],
  removexattrat: [466, 466],
  request_key: [249, 218],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  semget: [64, 190],
  setns: [308, 268],
  setpgid: [109, 154],
  setpriority: [141, 140],
  setsid: [112, 157],
  setxattr: [188, 5],
  setxattrat: [463, 463],
  shmget: [29, 194],
  socket: [41, 198],
  socketpair: [53, 199],
  truncate: [76, 45],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  utime: [132, -1],
  utimensat: [280, 88],
  utimes: [235, -1],
  wait4: [61, 260],
} as const

export type CallName = keyof typeof NUMBERS
export type Bytes = DataView | Uint8Array | Uint32Array | BigUint64Array
type Argument = number | bigint | string | Bytes

const ARM = process.arch === 'arm64'
const LIBRARIES = ['libc.so.6', `libc.musl-${ARM ? 'aarch64' : 'x86_64'}.so.1`]
const WORD = FFIType.i64
const encoder = new TextEncoder()

/** A call that failed, and why: `mount: EPERM`. */
export class CallFailed extends Error {
  readonly code: string

  constructor(call: string, code: string) {
    super(`${call}: ${code}`)
    this.code = code
  }
}

/** The number of a call here; -1 when this architecture has none. */
export function numberOf(name: CallName): number {
  return NUMBERS[name][ARM ? 1 : 0]
}

/**
 * Makes a system call. Texts become C strings, views the address of their bytes.
 *
 * @throws CallFailed with the errno's name; ENOSYS where there is no C library to reach the kernel by
 */
export function call(name: CallName, ...given: Argument[]): number {
  const libc = library()
  if (!libc) throw new CallFailed(name, 'ENOSYS')
  // The bytes behind the addresses must live until the call returns.
  const views = given.map((one) => (typeof one === 'string' ? cString(one) : one))
  const words = views.map((one) => (typeof one === 'object' ? ptr(one) : one))
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = words
  const result = Number(libc.syscall(numberOf(name), a, b, c, d, e))
  if (result >= 0) return result
  throw new CallFailed(name, errnoName(libc.__errno_location() as Pointer | null))
}

/**
 * Makes ready to become another program.
 *
 * @returns does it. @throws CallFailed: when it returns at all, it failed
 */
export function readyToBecome(
  path: string,
  argv: readonly string[],
  env: readonly string[],
): () => never {
  // The texts must live as long as the lists of their addresses.
  const texts = { path: cString(path), argv: argv.map(cString), env: env.map(cString) }
  const lists = [pointers(texts.argv), pointers(texts.env)] as const
  return () => {
    call('execve', texts.path, ...lists)
    throw new CallFailed('execve', `ENOEXEC ${texts.argv.length}`)
  }
}

/** Where the bytes of a view lie; they must outlive whoever is told. */
export function addressOf(view: Bytes): bigint {
  return BigInt(ptr(view))
}

/** Bytes in a page of memory. */
export function pageSize(): number {
  return library()?.getpagesize() ?? 4096
}

function cString(text: string): Uint8Array {
  return encoder.encode(`${text}\0`)
}

/** A list of addresses, ended by none, as C wants it. */
function pointers(texts: Uint8Array[]): BigUint64Array {
  return new BigUint64Array([...texts.map(addressOf), 0n])
}

function errnoName(location: Pointer | null): string {
  const errno = location ? read.i32(location, 0) : 0
  const known = Object.entries(constants.errno).find(([, number]) => number === errno)
  return known?.[0] ?? `errno ${errno}`
}

let opened: ReturnType<typeof openLibrary>

function library() {
  opened ??= openLibrary()
  return opened
}

function openLibrary() {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, {
        syscall: { args: [WORD, WORD, WORD, WORD, WORD, WORD], returns: WORD },
        __errno_location: { args: [], returns: FFIType.ptr },
        getpagesize: { args: [], returns: FFIType.i32 },
      }).symbols
    } catch {
      // The next name: a system has one C library, not both.
    }
  }
  return undefined
}
