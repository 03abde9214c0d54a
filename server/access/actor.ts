/** The user or share visitor behind a request, with the rights that the database holds at that moment, and their ceiling. */

import type { Rule } from '#wire/api/user.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Permissions } from '#wire/permissions.ts'
import type { Ceiling } from './ceiling.ts'

export interface Actor {
  /** The user's id. */
  id: number
  username: string
  /** The rights of the account. */
  perm: Permissions
  /** The most that the request may do with them; absent for a session. */
  ceiling?: Ceiling | undefined
  /** The folder of the served tree that the actor sees as the root; all paths of the actor are relative to it. */
  scope: TreePath
  /**
   * The actor's root as a path in the rules. The root of a public share is a folder of its owner, whose rules begin
   * at the owner's root. If a link leads to that folder there are two paths, and the rules of both apply.
   */
  rulesFrom: readonly TreePath[]
  /** Global rules, followed by the user's own. */
  rules: readonly Rule[]
  hideDotfiles: boolean
}
