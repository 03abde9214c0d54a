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
  may: z.enum(['look', 'download', 'rename', 'delete', 'change']).meta({
    description:
      'the most that the user may do, in this order; `change`: modify it; `rename`: also move it',
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

/** Something that allows an action on a path, or refuses it. */
const reasonShape = z.object({
  by: z.enum(['folder', 'ceiling', 'permission', 'rule', 'hiddenDotfiles']).meta({
    description:
      '`folder`: the path is outside of the folder of the user, or of the app password; `permission`: of the account; `ceiling`: the app password lacks the permission; `hiddenDotfiles`: the account does not show names that begin with a dot',
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
  folder: treePathShape
    .meta({
      description:
        'the folder that the path is outside of: as the caller sees it; if it is outside of that of the caller, from the root of the server',
    })
    .exactOptional(),
})

const decisionShape = z.object({
  action: z.enum(PATH_ACTIONS),
  isAllowed: z.boolean(),
  reasons: z.array(reasonShape).meta({
    description: 'everything that refuses; if it is allowed, what allows it',
  }),
})

export const accessReasonsShape = z.object({
  username: z.string(),
  decisions: z.array(decisionShape),
  rules: z.array(ruleShape).meta({ description: 'the rules to which the numbers belong' }),
  globalRules: z
    .number()
    .int()
    .meta({ description: 'how many of these rules, the first ones, are for all users' }),
})

export type AccessList = z.infer<typeof accessListShape>
export type PersonWithAccess = z.infer<typeof personShape>
export type AccessReason = z.infer<typeof reasonShape>
export type AccessDecision = z.infer<typeof decisionShape>
export type AccessReasons = z.infer<typeof accessReasonsShape>
