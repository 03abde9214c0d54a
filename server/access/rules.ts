/**
 * Rules that allow or deny paths (docs/decisions.md 5): global rules, then the user's; the last match decides. They
 * apply to administrators too.
 */

import { compileExpression } from '#wire/api/rules.ts'
import type { Rule } from '#wire/api/user.ts'
import { canonicalText, caselessText } from '#wire/fold.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'

export type PathPredicate = (path: TreePath) => boolean

/** Compiles rules to a predicate: whether they allow a path. Parameters and faults as for `ruleFinder`. */
export function compileRules(rules: readonly Rule[], foldsCase: boolean): PathPredicate {
  const findRule = ruleFinder(rules, foldsCase)
  return (path) => findRule(path)?.allow ?? true
}

/**
 * Compiles rules. Of stored rules whose expressions do not compile, one that denies denies everything, and one that
 * allows allows nothing.
 *
 * @param foldsCase whether the file system ignores the case of names, for paths and expressions alike; then forms of Unicode
 *   do not count either
 * @returns a function that finds the rule that decides about a path; undefined if none matches, which allows it. If the
 *   engine fails on a path, it throws, so that the request fails.
 */
export function ruleFinder(
  rules: readonly Rule[],
  foldsCase: boolean,
): (path: TreePath) => Rule | undefined {
  const compiled = rules.map((rule) => ({ rule, matches: matcherOf(rule, foldsCase) }))
  // The last rule that matches decides.
  compiled.reverse()
  return (path) => {
    for (const { rule, matches } of compiled) if (matches(path)) return rule
    return undefined
  }
}

function matcherOf(rule: Rule, foldsCase: boolean): PathPredicate {
  if (rule.regex) return expressionMatcher(rule, foldsCase)
  if (rule.path !== '' && !rule.path.startsWith('/')) return () => false
  if (!foldsCase) return insideOf(parsePath(rule.path))
  const isInside = insideOf(parsePath(caselessText(rule.path)))
  return (path) => isInside(parsePath(caselessText(path)))
}

/** As `isInside` for many paths: the text to compare is made once. */
function insideOf(folder: TreePath): PathPredicate {
  const prefix = folder === ROOT ? ROOT : `${folder}/`
  return (path) => path === folder || path.startsWith(prefix)
}

function expressionMatcher({ regexp, allow }: Rule, foldsCase: boolean): PathPredicate {
  const asCompared = foldsCase ? canonicalText : (text: string) => text
  const expression = regexp ? compileExpression(asCompared(regexp.raw), foldsCase) : undefined
  if (!expression) return () => !allow
  return (path) => expression.test(asCompared(path))
}
