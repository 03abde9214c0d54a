/** Completes and validates rules, for the server, the commands and the forms. */
import { RE2JS } from 're2js'
import { Fault } from '../fault.ts'
import { LIMITS } from '../limits.ts'
import type { Rule } from './user.ts'

/** Matches an expression anywhere in a path, in time linear in its length. */
export interface Expression {
  test(path: string): boolean
}

/**
 * Refuses too many rules, and rules that cannot be evaluated, or not in bounded time.
 *
 * @throws Fault badRequest
 */
export function checkRules(rules: readonly Rule[]): void {
  if (rules.length > LIMITS.rulesMax) {
    throw new Fault('badRequest', `A list may contain at most ${LIMITS.rulesMax} rules.`)
  }
  for (const rule of rules) {
    const problem = ruleProblem(rule)
    if (problem !== undefined) throw new Fault('badRequest', problem)
  }
}

/**
 * The rule as it is saved. A path begins with a slash, which people may omit: without it, the rule would match nothing.
 * A path that begins with a slash stays, because a name may end with a space.
 */
export function withLeadingSlash(rule: Rule): Rule {
  const path = rule.path.trim()
  if (rule.regex || path === '' || rule.path.startsWith('/')) return rule
  return { ...rule, path: path.startsWith('/') ? path : `/${path}` }
}

/**
 * Compiles an expression in RE2 syntax, as in File Browser (docs/api.md 5), which needs no backtracking.
 *
 * @param foldsCase whether case is ignored
 * @returns undefined if it does not compile, or exceeds a limit (`ruleExpressionMax`, `ruleProgramMax`)
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

/** `${foldsCase} ${raw}` → the compiled expression, the oldest first; each caches its automaton. */
const compiled = new Map<string, RE2JS>()
const COMPILED_MAX = 128

/** The reason why a rule cannot be evaluated; undefined if it can. */
export function ruleProblem({ regex, regexp }: Rule): string | undefined {
  const raw = regexp?.raw ?? ''
  if (!regex) return undefined
  if (raw === '') return 'A rule by expression needs an expression.'
  const expression = parse(raw, false)
  if (!(expression instanceof Error)) return undefined
  return `This rule's expression ${expression.message}: ${raw.slice(0, LIMITS.ruleExpressionMax)}`
}

/** @returns the expression, or the error message */
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
