/**
 * Who can open a file or folder (docs/api.md 29). In the API, shares are called `links`, and users `people`, as in the
 * interface.
 */
import { z } from 'zod'
import type { Share } from '../api/share.ts'
import type { Rule } from '../api/user.ts'
import type { TreePath } from '../paths.ts'
import { PATH_ACTIONS, type PathAction, PERMISSIONS, type Permission } from '../permissions.ts'
import { shareShape } from './response-shapes.ts'
import { ruleShape } from './shapes.ts'

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

/** Why a user may do something with a path, or may not. */
export interface AccessDecision {
  action: PathAction
  isAllowed: boolean
  /**
   * What decided. `folder`: the path is outside of the user's folder, or of that of the app password. `ceiling`: the user has
   * the permission, and the app password does not. `hiddenDotfiles`: the account does not show names that begin with a dot.
   */
  by: 'folder' | 'ceiling' | 'permission' | 'rule' | 'hiddenDotfiles'
  /** The number of the deciding rule in the order of their use: global rules first, then the user's; from 1. */
  rule?: number
  /** The permission that is missing. */
  permission?: Permission
}

export interface AccessReasons {
  username: string
  decisions: AccessDecision[]
  /** The rules to which the numbers belong. */
  rules: Rule[]
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

export const accessReasonsShape: z.ZodType<AccessReasons> = z.object({
  username: z.string(),
  decisions: z.array(
    z.object({
      action: z.enum(PATH_ACTIONS),
      isAllowed: z.boolean(),
      by: z.enum(['folder', 'ceiling', 'permission', 'rule', 'hiddenDotfiles']),
      rule: z.number().int().exactOptional(),
      permission: z.enum(PERMISSIONS).exactOptional(),
    }),
  ),
  rules: z.array(ruleShape),
})
