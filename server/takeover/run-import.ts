/** Runs an import in one transaction. */
import type { Core } from '#server/core.ts'
import type { ImportPlan } from './plan.ts'

export interface ImportOutcome {
  /**
   * The field `done` of `filemgr import --json`. `already`: the same data was imported before, so nothing was changed.
   * `taken`: the import was run, or tried in a dry run, or refused with problems.
   */
  done: 'taken' | 'already'
  /** The reasons why nothing was imported; empty if the import, or a dry run of it, succeeded. */
  problems: string[]
}

/** Thrown to roll back the transaction of a dry run, or of a failed import. */
const ROLLED_BACK = Symbol('rolled back')

/**
 * Imports users, shares and settings in one transaction. The caller must close the core afterwards: after a
 * rollback, its cached settings may be those of the import.
 *
 * @param options `overwrite`: existing users and shares are replaced; `dryRun` rolls the transaction back
 */
export async function runImport(
  core: Core,
  plan: ImportPlan,
  options: { overwrite: boolean; dryRun: boolean },
): Promise<ImportOutcome> {
  if (await core.importHistory.has(plan.digest)) return { done: 'already', problems: [] }
  let problems = plan.problems
  try {
    await core.atomically(async () => {
      if (problems.length === 0) problems = await change(core, plan, options.overwrite)
      if (problems.length > 0 || options.dryRun) throw ROLLED_BACK
      await core.importHistory.add(plan.digest)
    })
  } catch (error) {
    if (error !== ROLLED_BACK) throw error
  }
  return { done: 'taken', problems }
}

/**
 * Imports settings first, because missing preferences and scopes of users are filled with the defaults of the settings.
 *
 * @returns the problems
 */
async function change(
  { settings, installation, users, shares }: Core,
  plan: ImportPlan,
  overwrite: boolean,
): Promise<string[]> {
  if (plan.settings) {
    const { live, startup, rules, commands } = plan.settings
    const problems = settings.findProblems(live, { rules, commands })
    if (problems.length > 0) return problems
    await settings.setOptions(live, { rules, commands })
    await installation.put(startup)
  }
  return [
    ...(plan.users
      ? await users.tryImport(plan.users.users, { overwrite, replace: false }, { dryRun: false })
      : []),
    ...(await shares.importShares(ownedShares(plan, await users.list()), { overwrite })),
  ]
}

/** Shares of users who do not exist after the import are skipped: if users are refused, their problems are reported. */
function ownedShares({ shares }: ImportPlan, users: readonly { id: number }[]) {
  const ids = new Set(users.map(({ id }) => id))
  return shares.shares.filter(({ userId }) => ids.has(userId))
}
