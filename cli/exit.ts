/** The table of exit codes. */
import { CommanderError } from 'commander'
import { reasonOf } from '#server/config/file-reason.ts'
import { Fault, type FaultCode, type FaultReason } from '#wire/fault.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 4 } as const

const BY_FAULT: Partial<Record<FaultCode, number>> = {
  badRequest: EXIT.usage,
  notFound: EXIT.notFound,
}

/** Sentences for faults whose messages are part of the HTTP API (docs/api.md 1.0.1). */
const SENTENCES: Partial<Record<FaultReason, (params: Fault['params']) => string>> = {
  passwordEmpty: () => 'The password is empty.',
  passwordTooShort: ({ length }) =>
    `The password is too short: it needs at least ${length} characters.`,
  passwordTooLong: ({ length }) => `The password is too long: it may have at most ${length} bytes.`,
  passwordTooEasy: () => 'The password is too easy to guess.',
}

/** @returns the exit code, and the message to print; undefined if commander has printed it */
export function exitFor(error: unknown): { code: number; print: string | undefined } {
  if (error instanceof CommanderError) {
    // Requested help is a success; help after a wrong command is not.
    return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage, print: undefined }
  }
  if (error instanceof Fault)
    return { code: BY_FAULT[error.code] ?? EXIT.failed, print: messageOf(error) }
  const message = error instanceof Error ? error.message : String(error)
  return { code: EXIT.failed, print: `filemgr failed: ${message}` }
}

/** The message, with the reason if the system refused something. */
function messageOf({ message, reason, params, cause }: Fault): string {
  const sentence = (reason && SENTENCES[reason]?.(params)) ?? message
  const why = reasonOf(cause)
  return why === undefined ? sentence : `${sentence} Reason: ${why}.`
}
