/** The state of a running server, for administrators. */
import { z } from 'zod'

/** `off`: switched off by an option; `tooLarge`: above its memory limit; `waiting`: for the first search. */
const INDEX_STATES = ['off', 'waiting', 'building', 'ready', 'tooLarge', 'failed'] as const

/** The state of the name index. */
const indexReportShape = z.object({
  state: z.enum(INDEX_STATES),
  names: z.number(),
  folders: z.number(),
  memoryBytes: z.number(),
  ageSec: z.number().nullable().meta({
    description: 'seconds since all folders were compared with the disk; null if never',
  }),
})

export const statusShape = z.object({
  version: z.string(),
  startedAt: z.string().meta({ format: 'date-time' }),
  memoryBytes: z.number(),
  requests: z.number().meta({ description: 'requests since the start' }),
  readOnly: z.boolean().meta({ description: 'the served folder is read-only' }),
  users: z.number(),
  sessions: z.number(),
  shares: z.number(),
  unfinishedUploads: z
    .object({ count: z.number(), bytes: z.number().optional() })
    .meta({ description: 'with their bytes on the disk, unless it does not respond' }),
  index: indexReportShape,
  work: z
    .array(z.object({ what: z.string(), atWork: z.number(), waiting: z.number() }))
    .meta({ description: 'running and waiting tasks by concurrency limit' }),
})

export type IndexReport = z.infer<typeof indexReportShape>
export type ServerStatus = z.infer<typeof statusShape>
