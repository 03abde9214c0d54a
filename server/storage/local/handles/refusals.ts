/** Faults that several operations throw. */
import { Fault } from '#wire/fault.ts'

const RETRY_AFTER_SEC = 5

/** For a path of the server's own files. */
export function reservedPath(): Fault {
  return new Fault('forbidden', 'This path is reserved for the server.')
}

/** For a recorded path of which a folder is a symbolic link now. */
export function replacedByLink(): Fault {
  return new Fault('outside', 'A symbolic link has replaced a folder of this path.')
}

/** For a file system that does not answer in time. */
export function doesNotRespond(): Fault {
  return new Fault('unavailable', 'This disk does not respond.', { retryAfterSec: RETRY_AFTER_SEC })
}

export function notFound(): Fault {
  return new Fault('notFound', 'There is no file or folder with this name.')
}

/** For content of the trash. */
export function notMounted(): Fault {
  return new Fault(
    'unavailable',
    'The content is on a file system that is not mounted. Mount it, then try again.',
    { reason: 'notMounted' },
  )
}
