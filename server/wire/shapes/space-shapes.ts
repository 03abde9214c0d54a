/** The shape of a report on space, for the description of the API. */
import { z } from 'zod'
import { ENTRY_TYPES } from '../api/entry.ts'
import type { SpaceReport } from '../api/space.ts'
import { entryShape } from './response-shapes.ts'

const kind = { extension: z.string(), type: z.enum(ENTRY_TYPES) }
const sums = { bytes: z.number(), files: z.number() }

export const spaceShape: z.ZodType<SpaceReport> = z.object({
  ...sums,
  folders: z.number(),
  parts: z.array(z.object({ entry: entryShape, mainKind: z.object(kind).nullable(), ...sums })),
  kinds: z.array(z.object({ ...kind, ...sums })),
  largest: z.array(entryShape),
  oldest: z.array(entryShape),
  isPartial: z.boolean(),
})
