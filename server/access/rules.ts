/**
 * Allow and deny by path (docs/decisions.md 5): global rules, then the user's, and the last that matches
 * decides. Nobody is exempt, administrators included.
 */
import { isInside, parsePath, type TreePath } from '#wire/paths.ts'
import { compileExpression } from '#wire/rules.ts'
import type { Rule } from '#wire/user.ts'

export type PathPredicate = (path: TreePath) => boolean

/**
 * Compiles rules, in their order, into one question: may this path be seen? A stored rule whose
 * expression does not compile denies everything it could have meant: it cannot be read, so it is
 * taken at its strictest. An engine that fails on a path throws: the request fails, nothing is allowed.
 *
 * @param foldsCase names that differ only by case are one name on this file system, for paths and for
 *   expressions alike
 */
export function compileRules(rules: readonly Rule[], foldsCase: boolean): PathPredicate {
  const compiled = rules.map((rule) => ({ allow: rule.allow, matches: matcherOf(rule, foldsCase) }))
  return (path) => compiled.findLast((rule) => rule.matches(path))?.allow ?? true
}

function matcherOf(rule: Rule, foldsCase: boolean): PathPredicate {
  if (rule.regex) return expressionMatcher(rule, foldsCase)
  if (rule.path !== '' && !rule.path.startsWith('/')) return () => false
  const folder = parsePath(rule.path)
  if (!foldsCase) return (path) => isInside(path, folder)
  const folded = parsePath(rule.path.toLowerCase())
  return (path) => isInside(parsePath(path.toLowerCase()), folded)
}

function expressionMatcher({ regexp, allow }: Rule, foldsCase: boolean): PathPredicate {
  const expression = regexp ? compileExpression(regexp.raw, foldsCase) : undefined
  if (!expression) return () => !allow
  return (path) => expression.test(path)
}
