/** openat2(2): opens paths below an open folder, confined by the kernel. */
import { FFIType, ptr } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'
import { numberOf } from './call-numbers.ts'
import { SystemError } from './errno.ts'
import { cName, lastError, openLibrary } from './libc.ts'

const NO_OTHER_MOUNT = 0x01n
const NO_MAGIC_LINKS = 0x02n
const NO_LINKS = 0x04n
const BENEATH = 0x08n

/** The call is made for every opened file, so its types are exact, which avoids conversions. */
const { i32, u32, ptr: pointer } = FFIType
const kernel = openLibrary({
  syscall: { args: [i32, i32, pointer, pointer, u32], returns: i32 },
})
const SYS_OPENAT2 = numberOf('openat2')

/** struct open_how: flags, mode and resolve flags. It is shared, because a thread makes one call at a time. */
const openHow = new BigUint64Array(3)

/** EAGAIN means that a concurrent rename disturbed the walk; the manual page says to retry. */
const ATTEMPTS = 64

/**
 * Opens a path below an open folder. A `..` or a link that leads out of it, an absolute path or link, and a magic link
 * fail with EXDEV or ELOOP.
 *
 * @throws SystemError; ENOSYS if the kernel or a filter lacks the call
 */
export function openBeneath(folder: number, relative: string, flags: number): number {
  return openWith(BENEATH | NO_MAGIC_LINKS, folder, relative, flags)
}

/**
 * As `openBeneath`; any link on the way fails with ELOOP.
 *
 * @throws SystemError
 */
export function openWithoutLinks(folder: number, relative: string, flags: number): number {
  return openWith(BENEATH | NO_MAGIC_LINKS | NO_LINKS, folder, relative, flags)
}

/**
 * As `openWithoutLinks`; any mount on the way fails with EXDEV.
 *
 * @throws SystemError
 */
export function openOnSameMount(folder: number, relative: string, flags: number): number {
  return openWith(BENEATH | NO_MAGIC_LINKS | NO_LINKS | NO_OTHER_MOUNT, folder, relative, flags)
}

/**
 * As `openBeneath`; any mount on the way fails with EXDEV, and is not touched.
 *
 * @throws SystemError
 */
export function openBeneathOnSameMount(folder: number, relative: string, flags: number): number {
  return openWith(BENEATH | NO_MAGIC_LINKS | NO_OTHER_MOUNT, folder, relative, flags)
}

function openWith(resolve: bigint, folder: number, relative: string, flags: number): number {
  if (!kernel) throw new SystemError('openat2', 'ENOSYS')
  openHow[0] = BigInt(flags)
  openHow[2] = resolve
  const path = cName(relative)
  const [pathAddress, howAddress] = [ptr(path), ptr(openHow)]
  for (let attempt = 0; ; attempt += 1) {
    const opened = kernel.syscall(SYS_OPENAT2, folder, pathAddress, howAddress, openHow.byteLength)
    if (opened >= 0) return opened
    const error = lastError('openat2')
    if (error.code !== 'EAGAIN' || attempt >= ATTEMPTS) throw error
  }
}

/** Whether the kernel has openat2 and permits it. */
export function hasOpenBeneath(): boolean {
  const rootFd = openSync('/', 'r')
  try {
    closeSync(openBeneath(rootFd, '.', 0))
    return true
  } catch {
    return false
  } finally {
    closeSync(rootFd)
  }
}
