/** The names of the errors that system calls give (errno(3)). */
import { constants } from 'node:os'

/** Of two names for one number, the one that the kernel's own pages use. */
const PREFERRED = ['EAGAIN', 'EOPNOTSUPP'] as const

/** Of two entries for one number the last one counts. */
const NAMES: ReadonlyMap<number, string> = new Map(
  [
    ...Object.entries(constants.errno),
    ...PREFERRED.map((name) => [name, constants.errno[name]] as const),
  ].map(([name, number]) => [number, name]),
)

/** A failed call, shaped like node's own errors so that one table translates both: `mount: EPERM`. */
export class SystemError extends Error {
  readonly code: string

  constructor(call: string, code: string) {
    super(`${call}: ${code}`)
    this.code = code
  }
}

/** The name of an error's number, such as `ENOENT` for 2. */
export function errnoName(errno: number): string {
  return NAMES.get(errno) ?? `errno ${errno}`
}

/** The errno's name that an error carries, such as `ENOENT`; undefined when it is something else. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
