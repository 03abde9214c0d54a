/**
 * What travels on the command socket. A client that names `SHELL_PROTOCOL` speaks the frames below,
 * one JSON text for each; any other client speaks File Browser's plain text (contract 1.16).
 */
import { z } from 'zod'

export const SHELL_PROTOCOL = 'filemgr.shell.v1'

/** Answers a line that may not be run; its sender is told nothing more (contract 1.16). */
export const NOT_ALLOWED = 'Command not allowed.'

/** Signals a client may send to what it started. */
export const SHELL_SIGNALS = ['INT', 'QUIT', 'TERM', 'KILL'] as const
export type ShellSignal = (typeof SHELL_SIGNALS)[number]

const cells = z.number().int().min(1).max(1000)

/** From the client. One program runs at a time; `cols` and `rows` count only for a terminal. */
export const shellRequest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    /** The command line. Empty with `terminal`: the configured shell. */
    line: z.string(),
    cols: cells.default(80),
    rows: cells.default(24),
    terminal: z.boolean().default(false),
  }),
  z.object({ type: z.literal('input'), data: z.string() }),
  /** No more input follows. */
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('resize'), cols: cells, rows: cells }),
  z.object({ type: z.literal('signal'), signal: z.enum(SHELL_SIGNALS) }),
])
export type ShellRequest = z.input<typeof shellRequest>

/** From the server. A terminal sends `output`; a program without one sends `stdout` and `stderr`. */
export type ShellReply =
  | { type: 'output' | 'stdout' | 'stderr'; data: string }
  /** `code` is 128 and the signal's number when a signal ended it, as shells count. */
  | { type: 'exit'; code: number; signal?: string }
  /** A sentence for the person: a refusal, or why the server ended the program. */
  | { type: 'error'; message: string }
