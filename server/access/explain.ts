/** Why an actor may do something with a path, or may not: the decisions of `policy`, with what decided. */

import { joinPath, type TreePath } from '#wire/paths.ts'
import type { PathAction } from '#wire/permissions.ts'
import type { AccessDecision } from '#wire/shapes/access.ts'
import type { Actor } from './actor.ts'
import { isHidden, missingRight } from './policy.ts'
import { ruleFinder } from './rules.ts'

/** What is asked about: a path of the actor, or several that must all be allowed, as for a link and its target. */
export interface Question {
  action: PathAction
  paths: readonly TreePath[]
  /** Whether the file system of the paths ignores the case of names. */
  foldsCase: boolean
}

/**
 * @returns the decision. If several things refuse, the first in the order of `AccessDecision.by` is named. An allowed path is
 *   decided by the last of the rules that match, else by the permission.
 */
export function explain(actor: Actor, { action, paths, foldsCase }: Question): AccessDecision {
  const missing = missingRight(actor, action)
  if (missing) return { action, isAllowed: false, ...missing }
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
