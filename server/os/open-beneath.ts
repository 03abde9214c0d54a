/** openat2(2): opening what lies below an open folder, where the kernel itself keeps the walk inside. */
import { closeSync, openSync } from 'node:fs'
import { SystemError } from './errno.ts'
import { call, cName } from './libc.ts'

const NO_OTHER_MOUNT = 0x01n
const NO_MAGIC_LINKS = 0x02n
const NO_LINKS = 0x04n
const BENEATH = 0x08n
/** EAGAIN says that a rename elsewhere raced the kernel's walk; the man page asks callers to try again. */
const ATTEMPTS = 64

/**
 * Opens a path below an open folder: `..`, absolute paths, links that leave and magic links fail with
 * EXDEV or ELOOP.
 *
 * @throws SystemError with the errno's name; ENOSYS where the kernel or a filter lacks the call.
 */
export function openBeneath(folder: number, relative: string, flags: number): number {
  return openWith(BENEATH | NO_MAGIC_LINKS, folder, relative, flags)
}

/** As `openBeneath`, and any link on the way fails with ELOOP. @throws SystemError */
export function openWithoutLinks(folder: number, relative: string, flags: number): number {
  return openWith(BENEATH | NO_MAGIC_LINKS | NO_LINKS, folder, relative, flags)
}

/** As `openWithoutLinks`, and any mount on the way fails with EXDEV. @throws SystemError */
export function openOnSameMount(folder: number, relative: string, flags: number): number {
  return openWith(BENEATH | NO_MAGIC_LINKS | NO_LINKS | NO_OTHER_MOUNT, folder, relative, flags)
}

function openWith(resolve: bigint, folder: number, relative: string, flags: number): number {
  const openHow = new BigUint64Array([BigInt(flags), 0n, resolve])
  const path = cName(relative)
  for (let attempt = 0; ; attempt += 1) {
    try {
      return call('openat2', folder, path, openHow, openHow.byteLength)
    } catch (error) {
      const again = error instanceof SystemError && error.code === 'EAGAIN'
      if (!again || attempt >= ATTEMPTS) throw error
    }
  }
}

/** Whether the kernel has openat2 and lets this process call it. */
export function hasOpenBeneath(): boolean {
  const top = openSync('/', 'r')
  try {
    closeSync(openBeneath(top, '.', 0))
    return true
  } catch {
    return false
  } finally {
    closeSync(top)
  }
}
