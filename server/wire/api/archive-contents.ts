/** The content of an archive in the API (docs/api.md 31). */
import { z } from 'zod'
import { treePathShape } from '../shapes/tree-path-shape.ts'
import { ENTRY_TYPES } from './entry.ts'

/** A file or folder in an archive. Its path begins at the root of the archive. */
const archiveItemShape = z.object({
  path: treePathShape,
  name: z.string(),
  size: z.number(),
  modified: z.string().meta({ description: 'RFC 3339; empty if the archive does not store it' }),
  isDir: z.boolean(),
  type: z.enum(ENTRY_TYPES),
})

/** A folder in an archive. */
export const archiveFolderShape = z.object({
  name: z.string().meta({ description: 'the name of the archive' }),
  path: treePathShape,
  items: z.array(archiveItemShape).meta({ description: 'in the order of the archive' }),
  leftOut: z.number().meta({
    description:
      'number of entries in the part of the archive that was read which an extraction skips: unsafe or repeated names, links, devices, unknown compression',
  }),
  isPartial: z.boolean().meta({ description: 'only the first part of the archive was read' }),
})

export type ArchiveItem = z.infer<typeof archiveItemShape>
export type ArchiveFolder = z.infer<typeof archiveFolderShape>
