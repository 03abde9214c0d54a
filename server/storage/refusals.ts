/** Faults that several operations throw. */
import { Fault } from '#wire/fault.ts'

/** For a path of the server's own files. */
export function reservedPath(): Fault {
  return new Fault('forbidden', 'This path is reserved for the server.')
}

/** For a recorded path of which a folder is a symbolic link now. */
export function replacedByLink(): Fault {
  return new Fault('outside', 'A symbolic link has replaced a folder of this path.')
}

export function notFound(): Fault {
  return new Fault('notFound', 'There is no file or folder with this name.')
}
