/** The table of exit codes. */
import { CommanderError } from 'commander'
import { Fault, type FaultCode } from '#wire/fault.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 4 } as const

const BY_FAULT: Partial<Record<FaultCode, number>> = {
  badRequest: EXIT.usage,
  notFound: EXIT.notFound,
}

/** @returns the exit code, and the message to print; none if commander has printed it */
export function exitFor(error: unknown): { code: number; print: string | undefined } {
  if (error instanceof CommanderError) {
    // Requested help is a success; help after a wrong command is not.
    return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage, print: undefined }
  }
  if (error instanceof Fault)
    return { code: BY_FAULT[error.code] ?? EXIT.failed, print: error.message }
  const message = error instanceof Error ? error.message : String(error)
  return { code: EXIT.failed, print: `filemgr failed: ${message}` }
}
