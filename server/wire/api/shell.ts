/**
 * The messages of the command socket. A client that requests `SHELL_PROTOCOL` uses the JSON messages below; others
 * use File Browser's plain text (docs/api.md 1.16).
 */

import type { FaultReason } from '../fault.ts'

export const SHELL_PROTOCOL = 'filemgr.shell.v1'

/** The response to a command that is not allowed, without details (docs/api.md 1.16). */
export const NOT_ALLOWED = 'Command not allowed.'

/** Signals that a client may send to its program. */
export const SHELL_SIGNALS = ['INT', 'QUIT', 'TERM', 'KILL'] as const
export type ShellSignal = (typeof SHELL_SIGNALS)[number]

/** From the client. One program runs at a time. */
export type ShellRequest =
  | {
      type: 'run'
      /** The command line. Empty with `terminal`: the configured shell. */
      line: string
      terminal?: boolean | undefined
      /** Size of the terminal, 80 by 24 by default. */
      cols?: number | undefined
      rows?: number | undefined
    }
  | { type: 'input'; data: string }
  /** Closes the input. */
  | { type: 'end' }
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'signal'; signal: ShellSignal }

/** From the server. A terminal sends `output`; other programs send `stdout` and `stderr`. */
export type ShellReply =
  | { type: 'output' | 'stdout' | 'stderr'; data: string }
  /** `code` is 128 plus the signal's number if a signal ended the program, as in shells. */
  | { type: 'exit'; code: number; signal?: string }
  /** A message for the user: a refusal, or why the server ended the program. */
  | { type: 'error'; message: string; reason?: FaultReason }
