/** Faults that several parts of the server throw, so that each has one sentence. */
import { Fault, type FaultOptions } from '#wire/fault.ts'

const DISK_FULL = 'There is not enough space left on the disk.'

export function diskFull(options: FaultOptions = {}): Fault {
  return new Fault('noSpace', DISK_FULL, options)
}

/** For a symbolic link that leads nowhere. */
export function linkTargetMissing(options: FaultOptions = {}): Fault {
  return new Fault('notFound', 'The target of this link does not exist.', options)
}
