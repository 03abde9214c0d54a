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

  constructor(call: string, code: string) {
    super(`${call}: ${code}`)
    this.code = code
  }
}

/** The name of an errno, such as `ENOENT` for 2. */
export function errnoName(errno: number): string {
  return NAMES.get(errno) ?? `errno ${errno}`
}

/** The errno name in an error, such as `ENOENT`; undefined if there is none. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
