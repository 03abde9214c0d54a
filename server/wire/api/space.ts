/** What takes up the space in a folder (docs/api.md 33). */
import { z } from 'zod'
import { entryShape } from '../shapes/response-shapes.ts'
import { ENTRY_TYPES, type Entry } from './entry.ts'

const sums = { bytes: z.number(), files: z.number() }

/** The extension and the type of files. */
const kind = {
  extension: z.string().meta({
    description: 'with its dot, in lower case; empty for files without one',
  }),
  type: z.enum(ENTRY_TYPES),
}

/** An entry of the folder, with all that is inside it. */
const spacePartShape = z.object({
  entry: entryShape,
  ...sums,
  mainKind: z.object(kind).nullable().meta({
    description: 'the extension that takes up the most of it; null if there are no files',
  }),
})

/** Files of one extension. */
const spaceKindShape = z.object({ ...kind, ...sums })

export const spaceShape = z.object({
  ...sums,
  folders: z.number(),
  parts: z.array(spacePartShape).meta({ description: 'the largest entries of the folder first' }),
  kinds: z.array(spaceKindShape).meta({ description: 'the extensions with the most bytes first' }),
  largest: z.array(entryShape).meta({ description: 'the largest files, the largest first' }),
  oldest: z.array(entryShape).meta({
    description: 'the files that were modified first, the oldest first',
  }),
  isPartial: z.boolean().meta({
    description:
      'files are missing: the time was over, a disk does not respond, or folders are too deep',
  }),
  hasUnreadable: z.boolean().meta({
    description: 'folders are not counted, because the system does not let the server read them',
  }),
})

export type SpacePart = z.infer<typeof spacePartShape>
export type SpaceKind = z.infer<typeof spaceKindShape>
export type SpaceReport = z.infer<typeof spaceShape>

/** A line of the response: files with the same content, or how far the comparison is. */
export type SameContentLine =
  | { same: Entry[] }
  | {
      /** Bytes of the files that were compared, and of all that have to be. */
      done: number
      total: number
      /** Whether not all files are compared, because there are too many. */
      isPartial: boolean
    }

/** So many rows of each list of a report are sent. */
export const SPACE_ROWS = 50
