/** Becoming another program (execve(2)). */
import { SystemError } from '#server/os/errno.ts'
import { addressOf, call, cString } from '#server/os/libc.ts'

/**
 * Makes ready to become another program.
 *
 * @returns does it. @throws SystemError: when it returns at all, it failed
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
    throw new SystemError('execve', `ENOEXEC ${texts.argv.length}`)
  }
}

/** A list of addresses, ended by none, as C wants it. */
function pointers(texts: Uint8Array[]): BigUint64Array {
  return new BigUint64Array([...texts.map(addressOf), 0n])
}
