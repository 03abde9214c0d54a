/** Faults that several operations throw. */
import { Fault } from '#wire/fault.ts'

/** For a path of the server's own files. */
export function reservedPath(): Fault {
  return new Fault('forbidden', 'This path is reserved for the server.')
}

export function notFound(): Fault {
  return new Fault('notFound', 'There is no file or folder with this name.')
}
