/** The Zod schema of a listing of an archive, for the API description. */
import { z } from 'zod'
import type { ArchiveFolder } from '../api/archive-contents.ts'
import { ENTRY_TYPES } from '../api/entry.ts'
import type { TreePath } from '../paths.ts'

/** A path that the server has validated. Two casts: `TreePath` is a string only its own functions create. */
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
    description:
      'number of entries in the part of the archive that was read which an extraction skips: unsafe or repeated names, links, devices, unknown compression',
  }),
  isPartial: z.boolean().meta({ description: 'only the first part of the archive was read' }),
})
