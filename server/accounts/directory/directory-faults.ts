/** Faults of directories, with a reason that users understand. */
import { Fault, type FaultReason } from '#wire/fault.ts'

const SENTENCES = {
  directoryDown: 'The directory cannot be reached: it is off, or its address or port is wrong.',
  directorySlow: 'The directory does not respond in time.',
  directoryTls:
    'The connection to the directory cannot be encrypted, or its certificate is not accepted.',
  directoryRefused: 'The directory does not let this server search.',
  directoryInvalid: 'The response of the directory is not valid.',
} as const satisfies Partial<Record<FaultReason, string>>

/** @param cause for the log of the server */
export function directoryFault(reason: keyof typeof SENTENCES, cause?: unknown): Fault {
  return new Fault('unavailable', SENTENCES[reason], { reason, cause })
}

const ENTRY_SENTENCES = {
  entryMissing: 'The directory has no such user.',
  entryAmbiguous: 'The directory has several users of this name.',
  entryWithoutId: 'The entry of the user has no attribute that identifies it.',
} as const satisfies Partial<Record<FaultReason, string>>

/** What is wrong with the entries that a search has found. Only administrators see it. */
export function entryFault(reason: keyof typeof ENTRY_SENTENCES): Fault {
  return new Fault('unprocessable', ENTRY_SENTENCES[reason], { reason })
}
