/**
 * Who can open a file or folder (docs/api.md 29). In the API, shares are called `links`, and users `people`, as in the
 * interface.
 */
import { z } from 'zod'
import { PATH_ACTIONS, PERMISSIONS } from '../permissions.ts'
import { shareShape } from './response-shapes.ts'
import { ruleShape } from './shapes.ts'
import { treePathShape } from './tree-path-shape.ts'

const personShape = z.object({
  username: z.string(),
  isAdmin: z.boolean(),
  scope: treePathShape.meta({ description: 'contains the file' }),
  may: z.enum(['look', 'download', 'change']).meta({
    description: 'the most that the user may do; `change`: modify, rename or delete it',
  }),
})

export const accessListShape = z.object({
  links: z.array(shareShape).meta({
    description:
      'shares of the file, or of a folder above it: the own ones; for administrators those of all users',
  }),
  people: z
    .array(personShape)
    .meta({ description: 'the users, for administrators; absent for others' })
    .exactOptional(),
  isPartial: z
    .boolean()
    .meta({ description: 'more users exist than were checked' })
    .exactOptional(),
})

/** Why a user may do something with a path, or may not. */
const decisionShape = z.object({
  action: z.enum(PATH_ACTIONS),
  isAllowed: z.boolean(),
  by: z.enum(['folder', 'ceiling', 'permission', 'rule', 'hiddenDotfiles']).meta({
    description:
      'what decided; `folder`: the path is outside of the folder of the user, or of the app password; `ceiling`: the user has the permission, and the app password does not; `hiddenDotfiles`: the account does not show names that begin with a dot',
  }),
  rule: z
    .number()
    .int()
    .meta({
      description:
        'the number of the deciding rule in the order of their use: global rules first, then those of the user; from 1',
    })
    .exactOptional(),
  permission: z
    .enum(PERMISSIONS)
    .meta({ description: 'the permission that is missing' })
    .exactOptional(),
})

export const accessReasonsShape = z.object({
  username: z.string(),
  decisions: z.array(decisionShape),
  rules: z.array(ruleShape).meta({ description: 'the rules to which the numbers belong' }),
})

export type AccessList = z.infer<typeof accessListShape>
export type PersonWithAccess = z.infer<typeof personShape>
export type AccessDecision = z.infer<typeof decisionShape>
export type AccessReasons = z.infer<typeof accessReasonsShape>
