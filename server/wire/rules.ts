/** When a rule can be evaluated at all; asked by whoever stores one and by the form that edits it. */
import { Fault } from './fault.ts'
import type { Rule } from './user.ts'

/**
 * Refuses a rule that could not be evaluated.
 *
 * @throws Fault badRequest naming the expression
 */
export function checkRule(rule: Rule): void {
  if (!rule.regex) return
  const raw = rule.regexp?.raw
  if (!raw) throw new Fault('badRequest', 'A rule by expression needs an expression.')
  if (!compileExpression(raw)) {
    throw new Fault('badRequest', `This rule's expression does not compile: ${raw}`)
  }
}

/** The expression, or undefined when it does not compile. */
export function compileExpression(raw: string): RegExp | undefined {
  try {
    return new RegExp(raw, 'u')
  } catch {
    return undefined
  }
}
