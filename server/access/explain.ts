/** Why an actor may do something with a path, or may not: the decisions of `policy`, with what decided. */

import { joinPath, type TreePath } from '#wire/paths.ts'
import { missingPermission, type PathAction, type Permissions } from '#wire/permissions.ts'
import type { AccessDecision } from '#wire/shapes/access.ts'
import type { Actor } from './actor.ts'
import { isHidden } from './policy.ts'
import { ruleFinder } from './rules.ts'

/** What is asked about: a path of the actor, or several that must all be allowed, as for a link and its target. */
export interface Question {
  action: PathAction
  paths: readonly TreePath[]
  /** Whether the file system of the paths ignores the case of names. */
  foldsCase: boolean
  /** The permissions of the account, if those of the actor are a part of them. */
  account?: Permissions
}

/**
 * @returns the decision. If several things refuse, the first in the order of `AccessDecision.by` is named. An allowed path is
 *   decided by the last of the rules that match, else by the permission.
 */
export function explain(
  actor: Actor,
  { action, paths, foldsCase, account }: Question,
): AccessDecision {
  const missing = missingPermission(actor.perm, action)
  if (missing) {
    const isOfAccount = account !== undefined && !missingPermission(account, action)
    const by = isOfAccount ? ('ceiling' as const) : ('permission' as const)
    return { action, isAllowed: false, by, permission: missing }
  }
  const findRule = ruleFinder(actor.rules, foldsCase)
  const names = paths.flatMap((path) => actor.rulesFrom.map((root) => joinPath(root, path)))
  const rules = names.map((name) => findRule(name)).filter((rule) => rule !== undefined)
  const denying = rules.find(({ allow }) => !allow)
  // Rules are shown to people as a list, which begins at 1.
  if (denying)
    return { action, isAllowed: false, by: 'rule', rule: actor.rules.indexOf(denying) + 1 }
  if (actor.hideDotfiles && names.some(isHidden)) {
    return { action, isAllowed: false, by: 'hiddenDotfiles' }
  }
  const [allowing] = rules
  if (!allowing) return { action, isAllowed: true, by: 'permission' }
  return { action, isAllowed: true, by: 'rule', rule: actor.rules.indexOf(allowing) + 1 }
}
