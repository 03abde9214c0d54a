/** Replaces the process by another program (execve(2)). */
import { SystemError } from './errno.ts'
import { addressOf, call, cName } from './libc.ts'

/**
 * Prepares the memory for execve. Arguments and variables may contain file names, so they get their original bytes.
 *
 * @returns a function that calls execve; it throws a SystemError if that fails
 */
export function prepareExec(
  path: string,
  argv: readonly string[],
  env: readonly string[],
): () => never {
  // The texts must stay alive as long as the pointers to them.
  const texts = { path: cName(path), argv: argv.map(cName), env: env.map(cName) }
  const lists = [pointers(texts.argv), pointers(texts.env)] as const
  return () => {
    call('execve', texts.path, ...lists)
    throw new SystemError('execve', `ENOEXEC ${texts.argv.length}`)
  }
}

/** A NULL-terminated array of pointers. */
function pointers(texts: Uint8Array[]): BigUint64Array {
  return new BigUint64Array([...texts.map(addressOf), 0n])
}
