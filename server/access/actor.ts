/** Who acts: built once for a request, from what the database says at that moment. */
import type { TreePath } from '#wire/paths.ts'
import type { Permissions } from '#wire/permissions.ts'
import type { Rule } from '#wire/user.ts'

export interface Actor {
  /** The user's id. */
  id: number
  username: string
  perm: Permissions
  /** The folder of the served tree that is this actor's root. */
  scope: TreePath
  /**
   * The actor's root in the terms of the rules. A public link's root is a folder of its owner, whose
   * rules are written from the owner's root; two where a link of the disk leads to it. Each holds.
   */
  rulesFrom: readonly TreePath[]
  /** Global rules, then the user's own. */
  rules: readonly Rule[]
  hideDotfiles: boolean
}
