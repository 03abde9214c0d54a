/** Carries a plan out, all of it or nothing. */
import type { Core } from '#server/core.ts'
import type { TakeoverPlan } from './plan.ts'

export interface Outcome {
  /** `already`: the same content was taken over before, and nothing was changed. */
  done: 'taken' | 'already'
  problems: string[]
}

/** Ends the transaction of a rehearsal, or of one that met a problem. */
const TAKEN_BACK = Symbol('taken back')

/**
 * Takes users, shares and settings over in one transaction. The caller closes the office afterwards:
 * what it has cached of a transaction that was taken back is not true.
 *
 * @param options `overwrite`: users and shares that are there already are replaced; `keep`: otherwise it is
 *   tried, and taken back
 */
export function takeOver(
  core: Core,
  plan: TakeoverPlan,
  options: { overwrite: boolean; keep: boolean },
): Outcome {
  if (core.takeovers.has(plan.digest)) return { done: 'already', problems: [] }
  let problems = plan.problems
  try {
    core.atomically(() => {
      if (problems.length === 0) problems = change(core, plan, options.overwrite)
      if (problems.length > 0 || !options.keep) throw TAKEN_BACK
      core.takeovers.add(plan.digest)
    })
  } catch (error) {
    if (error !== TAKEN_BACK) throw error
  }
  return { done: 'taken', problems }
}

/** Settings first: users are completed from their defaults. @returns what stands against it */
function change(
  { settings, installation, users, shares }: Core,
  plan: TakeoverPlan,
  overwrite: boolean,
): string[] {
  if (plan.settings) {
    const { live, boot, rules, commands } = plan.settings
    const problems = settings.problemsWith(live, { rules, commands })
    if (problems.length > 0) return problems
    settings.setOptions(live, { rules, commands })
    installation.put(boot)
  }
  return [
    ...(plan.users
      ? users.problemsWith(plan.users.users, { overwrite, replace: false }, { keep: true })
      : []),
    ...shares.takeOver(ownedShares(plan, users.list()), { overwrite }),
  ]
}

/** A share whose owner is refused is no second problem. */
function ownedShares({ shares }: TakeoverPlan, users: readonly { id: number }[]) {
  const ids = new Set(users.map(({ id }) => id))
  return shares.shares.filter(({ userId }) => ids.has(userId))
}
