/**
 * What travels on the command socket. A client that names `SHELL_PROTOCOL` speaks the frames below,
 * one JSON text for each; any other client speaks File Browser's plain text (docs/api.md 1.16).
 */

import type { FaultReason } from './fault.ts'

export const SHELL_PROTOCOL = 'filemgr.shell.v1'

/** Answers a line that may not be run; its sender is told nothing more (docs/api.md 1.16). */
export const NOT_ALLOWED = 'Command not allowed.'

/** Signals a client may send to what it started. */
export const SHELL_SIGNALS = ['INT', 'QUIT', 'TERM', 'KILL'] as const
export type ShellSignal = (typeof SHELL_SIGNALS)[number]

/** From the client. One program runs at a time. */
export type ShellRequest =
  | {
      type: 'run'
      /** The command line. Empty with `terminal`: the configured shell. */
      line: string
      terminal?: boolean | undefined
      /** Of a terminal, 80 by 24 unless told. */
      cols?: number | undefined
      rows?: number | undefined
    }
  | { type: 'input'; data: string }
  /** No more input follows. */
  | { type: 'end' }
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'signal'; signal: ShellSignal }

/** From the server. A terminal sends `output`; a program without one sends `stdout` and `stderr`. */
export type ShellReply =
  | { type: 'output' | 'stdout' | 'stderr'; data: string }
  /** `code` is 128 and the signal's number when a signal ended it, as shells count. */
  | { type: 'exit'; code: number; signal?: string }
  /** A sentence for the person: a refusal, or why the server ended the program. */
  | { type: 'error'; message: string; reason?: FaultReason }
