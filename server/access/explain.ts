/** Why an actor may do something with a path, or may not: the decisions of `policy`, with what decided. */

import { joinPath, type TreePath } from '#wire/paths.ts'
import type { PathAction } from '#wire/permissions.ts'
import type { AccessDecision } from '#wire/shapes/access.ts'
import type { Actor } from './actor.ts'
import { isHidden, missingRights } from './policy.ts'
import { ruleFinder } from './rules.ts'

/** What is asked about. */
export interface Question {
  action: PathAction
  /** A path of the actor, or several that must all be allowed, as for a link and its target; none if it is outside. */
  paths: readonly TreePath[]
  /** Whether the file system of the paths ignores the case of names. */
  foldsCase: boolean
  /** The folder of the actor, as the caller sees it, if the path is outside of it. */
  outsideOf?: TreePath | undefined
}

/**
 * @returns the decision, with everything that refuses. An allowed path is decided by the last of the rules that match, else by
 *   the permission.
 */
export function explain(
  actor: Actor,
  { action, paths, foldsCase, outsideOf }: Question,
): AccessDecision {
  const findRule = ruleFinder(actor.rules, foldsCase)
  const names = paths.flatMap((path) => actor.rulesFrom.map((root) => joinPath(root, path)))
  const rules = names.map((name) => findRule(name)).filter((rule) => rule !== undefined)
  // Rules are shown to people as a list, which begins at 1.
  const byRule = (rule: Actor['rules'][number]) => ({
    by: 'rule' as const,
    rule: actor.rules.indexOf(rule) + 1,
  })
  const denying = [...new Set(rules.filter(({ allow }) => !allow))]
  const isConcealed = actor.hideDotfiles && names.some(isHidden)
  const refusals: AccessDecision['reasons'] = [
    ...(outsideOf === undefined ? [] : [{ by: 'folder' as const, folder: outsideOf }]),
    ...missingRights(actor, action),
    ...denying.map(byRule),
    ...(isConcealed ? [{ by: 'hiddenDotfiles' as const }] : []),
  ]
  if (refusals.length > 0) return { action, isAllowed: false, reasons: refusals }
  const [allowing] = rules
  return {
    action,
    isAllowed: true,
    reasons: [allowing ? byRule(allowing) : { by: 'permission' }],
  }
}
