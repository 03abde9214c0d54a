/**
 * Who can open a file or folder (docs/api.md 29). In the API, shares are called `links`, and users `people`, as in the
 * interface.
 */
import { z } from 'zod'
import type { Share } from '../api/share.ts'
import type { TreePath } from '../paths.ts'
import { shareShape } from './response-shapes.ts'

export interface AccessList {
  /** Shares of the file, or of a folder above it: the user's own; for administrators those of all users. */
  links: Share[]
  /** The users, for administrators; absent for others. */
  people?: PersonWithAccess[]
  /** More users exist than were checked. */
  isPartial?: boolean
}

export interface PersonWithAccess {
  username: string
  isAdmin: boolean
  /** Contains the file. */
  scope: TreePath
  /** The most that the user may do. `change`: modify, rename or delete it. */
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
