/** Editing and validation of rules in a form. Pure. */
import { compileExpression } from '#wire/api/rules.ts'
import type { Rule } from '#wire/api/user.ts'

/** A new rule that denies, with an empty path. */
export function newRule(): Rule {
  return { allow: false, regex: false, path: '', regexp: null }
}

/** The path or the expression. */
export function ruleText(rule: Rule): string {
  return rule.regex ? (rule.regexp?.raw ?? '') : rule.path
}

/** The rule with another path or expression; the text is kept if the kind changes. */
export function withText(rule: Rule, text: string, regex = rule.regex): Rule {
  return { ...rule, regex, path: regex ? '' : text, regexp: regex ? { raw: text } : null }
}

/** Why a rule cannot be saved. */
export function ruleProblemOf(rule: Rule): 'empty' | 'badExpression' | undefined {
  if (ruleText(rule).trim() === '') return 'empty'
  return rule.regex && !compileExpression(ruleText(rule)) ? 'badExpression' : undefined
}

/** The list with one item moved by one position; at an end it stays. */
export function moveItem<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const to = index + by
  const item = list[index]
  if (item === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(index, 1).toSpliced(to, 0, item)
}
