/** Faults that several parts of the server throw, so that each has one sentence. */
import { Fault, type FaultOptions } from '#wire/fault.ts'

const RETRY_AFTER_SEC = 5

const DISK_FULL = 'There is not enough space left on the disk.'

export function diskFull(options: FaultOptions = {}): Fault {
  return new Fault('noSpace', DISK_FULL, options)
}

/** For a change that needs the disk of the server's database. */
export function databaseFull(message: string, options: FaultOptions = {}): Fault {
  return new Fault('noSpace', message, { ...options, reason: 'databaseFull' })
}

/** For a file system that does not answer in time. */
export function doesNotRespond(): Fault {
  return new Fault('unavailable', 'This disk does not respond.', {
    reason: 'diskSilent',
    retryAfterSec: RETRY_AFTER_SEC,
  })
}

/** As `doesNotRespond`, for a change that is on its way: the disk may still make it. */
export function changeMayFollow(): Fault {
  return new Fault(
    'unavailable',
    'This disk does not respond. The change may still be made when it responds again.',
    { reason: 'changeMayFollow', retryAfterSec: RETRY_AFTER_SEC },
  )
}

/** For a deletion that may only go to the trash, where nothing is kept. */
export function notKept(): Fault {
  return new Fault('conflict', 'This does not go to the trash: it would be deleted permanently.', {
    reason: 'notKept',
  })
}

/** For a symbolic link whose target does not exist, also one that leads to itself. */
export function linkTargetMissing(options: FaultOptions = {}): Fault {
  return new Fault('notFound', 'The target of this link does not exist.', {
    ...options,
    reason: 'linkTargetMissing',
  })
}
