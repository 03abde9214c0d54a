/** The file of a Unix socket: that of a killed server is removed before the next one listens, and who may connect. */
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'

/** Error codes of connect(2) if no server listens: no process accepts connections, or the file was removed since. */
const ABANDONED = ['ECONNREFUSED', 'ENOENT']

/**
 * Removes the socket of an earlier server.
 *
 * @throws Fault conflict (a server listens on it or may listen on it, or the file is not a socket), forbidden
 */
export async function clearSocket(path: string): Promise<void> {
  const file = orForbidden(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (!file) return
  const isUnused = file.isSocket() && (await isAbandoned(path))
  if (!isUnused)
    throw new Fault('conflict', `The socket ${path} is in use. Choose another one with --socket.`)
  orForbidden(path, () => rmSync(path, { force: true }))
}

/**
 * Runs `listen` so that the socket that it creates has no other permission bits than `mode`. Otherwise other accounts may
 * be able to connect before the bits are set.
 */
export function withUmaskOf<T>(mode: number, listen: () => T): T {
  const previous = process.umask(0o777 & ~mode)
  try {
    return listen()
  } finally {
    process.umask(previous)
  }
}

/** Sets the permission bits of a socket. @throws Fault forbidden */
export function setSocketMode(path: string, mode: number): void {
  orForbidden(path, () => chmodSync(path, mode))
}

/** The fault for a socket that cannot be created. */
export function socketFault(path: string, cause: unknown): Fault {
  return new Fault('forbidden', `The socket ${path} cannot be created.`, { cause })
}

/** @throws Fault forbidden if `work` throws */
function orForbidden<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw socketFault(path, cause)
  }
}

/** Other errors, such as EACCES at the socket of a server of another account, do not show that no server listens. */
async function isAbandoned(unix: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix, socket: { data() {} } })
    connection.end()
    return false
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return typeof code === 'string' && ABANDONED.includes(code)
  }
}
