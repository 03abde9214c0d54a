/** Converts rules and permissions of File Browser to those of this server (docs/specification.md 11). */

import { ruleProblem } from '#wire/api/rules.ts'
import type { Rule } from '#wire/api/user.ts'
import { LIMITS } from '#wire/limits.ts'
import type { Permissions } from '#wire/permissions.ts'

/** The messages of an import; each begins with its location. */
export interface ImportReport {
  /** What is imported in another form, or not at all. */
  notices: string[]
  /** Errors that prevent the import of the document. */
  problems: string[]
}

/** Drops the permission to share of a user without the permission to download, which sharing needs. */
export function importPermissions(
  location: string,
  perm: Permissions,
  { notices }: ImportReport,
): Permissions {
  if (!perm.share || perm.download || perm.admin) return perm
  notices.push(`${location}: perm.share is left out: it needs perm.download.`)
  return { ...perm, share: false }
}

/**
 * Reports rules that cannot be evaluated. They are imported too: such a rule denies everything if it denies, since
 * otherwise hidden files would become visible, and allows nothing if it allows.
 */
export function importRules(
  location: string,
  rules: Rule[],
  { notices, problems }: ImportReport,
): Rule[] {
  if (rules.length > LIMITS.rulesMax) {
    problems.push(`${location}: there may be ${LIMITS.rulesMax} rules in one list.`)
  }
  for (const [index, rule] of rules.entries()) {
    const problem = ruleProblem(rule)
    if (problem === undefined) continue
    const effect = rule.allow ? 'allows nothing' : 'denies everything'
    notices.push(`${location}: rule ${index} ${effect} until it is corrected. ${problem}`)
  }
  return rules
}
