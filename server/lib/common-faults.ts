/** Faults that several parts of the server throw, so that each has one sentence. */
import { Fault, type FaultOptions } from '#wire/fault.ts'

const RETRY_AFTER_SEC = 5

const DISK_FULL = 'There is not enough space left on the disk.'

export function diskFull(options: FaultOptions = {}): Fault {
  return new Fault('noSpace', DISK_FULL, options)
}

/** For a file system that does not answer in time. */
export function doesNotRespond(): Fault {
  return new Fault('unavailable', 'This disk does not respond.', { retryAfterSec: RETRY_AFTER_SEC })
}

/** For a symbolic link that leads nowhere. */
export function linkTargetMissing(options: FaultOptions = {}): Fault {
  return new Fault('notFound', 'The target of this link does not exist.', options)
}
