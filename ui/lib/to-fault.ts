import { Fault } from '#wire/fault.ts'

/** Converts what a `catch` receives: a `Fault` stays, any other error becomes the cause of an `internal` fault. */
export function toFault(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault('internal', String(error), { cause: error })
}
