/** When a rule can be evaluated at all; asked by whoever stores one and by the form that edits it. */
import { RE2JS } from 're2js'
import { Fault } from './fault.ts'
import { LIMITS } from './limits.ts'
import type { Rule } from './user.ts'

/** Finds an expression anywhere in a path, in time that grows with the path's length alone. */
export interface Expression {
  test(path: string): boolean
}

/**
 * Refuses rules that could not be evaluated, or not in bounded time.
 *
 * @throws Fault badRequest naming the expression
 */
export function checkRules(rules: readonly Rule[]): void {
  if (rules.length > LIMITS.rulesMax) {
    throw new Fault('badRequest', `A list may hold at most ${LIMITS.rulesMax} rules.`)
  }
  for (const rule of rules) {
    const fault = faultIn(rule)
    if (fault !== undefined) throw new Fault('badRequest', fault)
  }
}

/**
 * Reads an expression in the syntax of RE2, as File Browser does (docs/api.md 5). Nothing that needs
 * backtracking is in it.
 *
 * @param foldsCase letters are found in either case
 * @returns undefined when it does not compile, or asks for more work than a rule may
 */
export function compileExpression(raw: string, foldsCase = false): Expression | undefined {
  const known = compiled.get(`${foldsCase} ${raw}`)
  if (known) return known
  const expression = parse(raw, foldsCase)
  if (expression instanceof Error) return undefined
  if (compiled.size >= COMPILED_MAX) forgetOldest()
  compiled.set(`${foldsCase} ${raw}`, expression)
  return expression
}

/** Expressions that are in use, the oldest first: each keeps what it learned of paths. */
const compiled = new Map<string, RE2JS>()
const COMPILED_MAX = 128

/** Why a rule cannot be evaluated; undefined for one that can. */
export function faultIn({ regex, regexp }: Rule): string | undefined {
  const raw = regexp?.raw ?? ''
  if (!regex) return undefined
  if (raw === '') return 'A rule by expression needs an expression.'
  const expression = parse(raw, false)
  if (!(expression instanceof Error)) return undefined
  return `This rule's expression ${expression.message}: ${raw.slice(0, LIMITS.ruleExpressionMax)}`
}

/** @returns the expression, or what is wrong with it */
function parse(raw: string, foldsCase: boolean): RE2JS | Error {
  if (raw.length > LIMITS.ruleExpressionMax) {
    return new Error(`is longer than ${LIMITS.ruleExpressionMax} characters`)
  }
  try {
    const expression = RE2JS.compile(raw, foldsCase ? RE2JS.CASE_INSENSITIVE : 0)
    if (expression.programSize() <= LIMITS.ruleProgramMax) return expression
    return new Error('repeats too much')
  } catch {
    return new Error('does not compile')
  }
}

function forgetOldest(): void {
  const [oldest] = compiled.keys()
  if (oldest !== undefined) compiled.delete(oldest)
}
