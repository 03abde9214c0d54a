/** Parses the requests of clients on the command socket. */
import { z } from 'zod'
import { SHELL_SIGNALS, type ShellRequest } from '#wire/api/shell.ts'

const cells = z.number().int().min(1).max(1000)

export const shellRequest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    line: z.string(),
    terminal: z.boolean().default(false),
    cols: cells.default(80),
    rows: cells.default(24),
  }),
  z.object({ type: z.literal('input'), data: z.string() }),
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('resize'), cols: cells, rows: cells }),
  z.object({ type: z.literal('signal'), signal: z.enum(SHELL_SIGNALS) }),
]) satisfies z.ZodType<unknown, ShellRequest>

export type Request = z.output<typeof shellRequest>
