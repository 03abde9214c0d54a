/** Rules in a form: what is typed, in which order, and why one cannot be saved. Pure. */
import { compileExpression } from '#wire/rules.ts'
import type { Rule } from '#wire/user.ts'

/** A rule that denies what is about to be typed. */
export function newRule(): Rule {
  return { allow: false, regex: false, path: '', regexp: null }
}

/** The path or the expression. */
export function textOf(rule: Rule): string {
  return rule.regex ? (rule.regexp?.raw ?? '') : rule.path
}

/** The same rule about another path or expression; what was typed is kept when the kind changes. */
export function withText(rule: Rule, text: string, regex = rule.regex): Rule {
  return { ...rule, regex, path: regex ? '' : text, regexp: regex ? { raw: text } : null }
}

/** A path begins at the root, whether or not that was typed. */
export function tidy(rule: Rule): Rule {
  const path = rule.path.trim()
  return rule.regex || path === '' || path.startsWith('/') ? rule : withText(rule, `/${path}`)
}

/** Why a rule cannot be saved. Each is a message key below `settings.rules.problems`. */
export function problemOf(rule: Rule): 'empty' | 'badExpression' | undefined {
  if (textOf(rule).trim() === '') return 'empty'
  return rule.regex && !compileExpression(textOf(rule)) ? 'badExpression' : undefined
}

/** The list with one item moved by one place; at an end it stays. */
export function moved<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const to = at + by
  const item = list[at]
  if (item === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(at, 1).toSpliced(to, 0, item)
}
