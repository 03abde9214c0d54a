/** Names of system errors (errno(3)). */
import { constants } from 'node:os'

/** Some numbers have two names; these are used by the kernel's manual pages. */
const PREFERRED = ['EAGAIN', 'EOPNOTSUPP'] as const

/** For duplicate numbers the last entry counts. */
const NAMES: ReadonlyMap<number, string> = new Map(
  [
    ...Object.entries(constants.errno),
    ...PREFERRED.map((name) => [name, constants.errno[name]] as const),
  ].map(([name, number]) => [number, name]),
)

/** A failed system call, in the form of node's errors: `mount: EPERM`. */
export class SystemError extends Error {
  readonly code: string
  /** The name of the call, as in node's errors. */
  readonly syscall: string

  constructor(call: string, code: string) {
    super(`${call}: ${code}`)
    this.code = code
    this.syscall = call
  }
}

/** The name of an errno, such as `ENOENT` for 2. */
export function errnoName(errno: number): string {
  return NAMES.get(errno) ?? `errno ${errno}`
}

/** Numbers that mean that a file system lacks something. 524 is ENOTSUPP, which the kernel should not pass on. */
const UNSUPPORTED = [
  'EINVAL',
  'ENOSYS',
  'EOPNOTSUPP',
  'ENOTTY',
  'errno 524',
  'Unknown system error -524',
]

/** Whether a system call failed because the file system does not support it. */
export function isUnsupported(error: unknown): boolean {
  return UNSUPPORTED.includes(errnoOf(error) ?? '')
}

/** The system call that failed; undefined if the error does not say it. */
export function syscallOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  return typeof error.syscall === 'string' ? error.syscall : undefined
}

/** The errno name in an error, such as `ENOENT`; undefined if there is none. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
