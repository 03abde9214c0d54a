/** Asks a file system for the state of a file, where the kernel would answer from what it remembers. */
import { errnoOf } from './errno.ts'
import { call } from './libc.ts'

/** Arguments of statx(2). */
const AT_EMPTY_PATH = 0x1000
const AT_STATX_FORCE_SYNC = 0x2000
const STATX_BASIC_STATS = 0x7ff
/** The size of `struct statx`. */
const RESULT_BYTES = 256
/** Errors of a system without the call. */
const ABSENT = ['ENOSYS', 'EPERM', 'EINVAL']

/**
 * From now on the kernel has the present times and size of an open file. A network file system may change the time of a file
 * when it stores the bytes, and the kernel goes on showing the time that it had before. Does nothing where there is no such
 * call.
 *
 * @throws system errors
 */
export function refreshStats(fd: number): void {
  const result = new Uint8Array(RESULT_BYTES)
  const flags = AT_EMPTY_PATH | AT_STATX_FORCE_SYNC
  try {
    call('statx', fd, '', flags, STATX_BASIC_STATS, result)
  } catch (error) {
    if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
  }
}
