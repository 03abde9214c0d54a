/** How a run ends: one table from what went wrong to the exit code. */
import { CommanderError } from 'commander'
import { Fault, type FaultCode } from '#wire/fault.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 4 } as const

const BY_FAULT: Partial<Record<FaultCode, number>> = {
  badRequest: EXIT.usage,
  notFound: EXIT.notFound,
}

/**
 * @returns the exit code, and the sentence to print; none where commander has said it already
 */
export function exitOf(error: unknown): { code: number; print: string | undefined } {
  if (error instanceof CommanderError) {
    // Help that was asked for ends well, help in place of an answer does not.
    return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage, print: undefined }
  }
  if (error instanceof Fault)
    return { code: BY_FAULT[error.code] ?? EXIT.failed, print: error.message }
  const message = error instanceof Error ? error.message : String(error)
  return { code: EXIT.failed, print: `filemgr failed: ${message}` }
}
