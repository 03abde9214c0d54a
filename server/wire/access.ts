/** Who can open a file or folder (docs/api.md 29). */
import { z } from 'zod'
import type { TreePath } from './paths.ts'
import { shareShape } from './response-shapes.ts'
import type { Share } from './share.ts'

export interface AccessList {
  /** Shares of it, or of a folder above it: the user's; for administrators all. */
  links: Share[]
  /** For administrators; absent for others. */
  people?: PersonWithAccess[]
  /** More users exist than were checked. */
  isPartial?: boolean
}

export interface PersonWithAccess {
  username: string
  isAdmin: boolean
  /** Their home folder, which contains it. */
  scope: TreePath
  may: 'look' | 'download' | 'change'
}

const personShape: z.ZodType<PersonWithAccess> = z.object({
  username: z.string(),
  isAdmin: z.boolean(),
  scope: z.string() as z.ZodType<string> as z.ZodType<TreePath>,
  may: z.enum(['look', 'download', 'change']),
})

export const accessListShape: z.ZodType<AccessList> = z.object({
  links: z.array(shareShape),
  people: z.array(personShape).exactOptional(),
  isPartial: z.boolean().exactOptional(),
})
