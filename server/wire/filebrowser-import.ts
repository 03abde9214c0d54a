/** Rules and rights as File Browser stored them, made such as are kept here (docs/api.md 12). */
import { LIMITS } from './limits.ts'
import type { Permissions } from './permissions.ts'
import { faultIn } from './rules.ts'
import type { Rule } from './user.ts'

/** What is found while a document is read: its sentences begin with the place. */
export interface ImportReport {
  /** Taken over in another form, or not at all. */
  notices: string[]
  /** Cannot be taken over: nothing of the document is. */
  problems: string[]
}

/** Links lead to what their owner may download, so the right to share alone was good for nothing. */
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
 * A rule that cannot be evaluated comes along and denies whatever it could mean: without it somebody
 * would see what was hidden from them.
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
    const fault = faultIn(rule)
    if (fault === undefined) continue
    const effect = rule.allow ? 'allows nothing' : 'denies everything'
    notices.push(`${location}: rule ${index} ${effect} until it is corrected. ${fault}`)
  }
  return rules
}
