/** The shapes of lists of archives in the API. */
import { z } from 'zod'
import type { ArchiveFolder } from './archive-contents.ts'
import { ENTRY_TYPES } from './entry.ts'
import type { TreePath } from './paths.ts'

/** A path that the server has validated. */
const treePath = z.string() as z.ZodType<string> as z.ZodType<TreePath>

export const archiveFolderShape: z.ZodType<ArchiveFolder> = z.object({
  name: z.string(),
  path: treePath,
  items: z.array(
    z.object({
      path: treePath,
      name: z.string(),
      size: z.number(),
      modified: z.string().meta({ description: 'empty if the archive does not store it' }),
      isDir: z.boolean(),
      type: z.enum(ENTRY_TYPES),
    }),
  ),
  leftOut: z.number().meta({
    description: 'entries of the whole archive that an extraction leaves out',
  }),
  isPartial: z.boolean().meta({ description: 'only the first part of the archive was read' }),
})
