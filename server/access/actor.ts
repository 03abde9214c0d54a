/** Who acts: built once for a request, from what the database says at that moment. */
import type { Permissions } from '#wire/permissions.ts'
import type { Rule } from '#wire/user.ts'

export interface Actor {
  /** The user's id. */
  id: number
  username: string
  perm: Permissions
  /** The folder below the served root that is this actor's root. */
  scope: string
  /** Global rules, then the user's own. */
  rules: readonly Rule[]
  hideDotfiles: boolean
}
