/** Long copies, moves and removals: a plan is shown first, and the server does the rest by itself. */
import { planJob, startJob } from '#ui/state/jobs.ts'
import { ask } from '#ui/state/prompts.ts'
import type { Entry } from '#wire/entry.ts'
import { isFault } from '#wire/fault.ts'
import type { JobPlan, JobRequest } from '#wire/jobs.ts'
import { LIMITS } from '#wire/limits.ts'

/**
 * Offers a job for what is too long to wait for.
 *
 * @returns `small`: it is done at once, as ever; a plan that cannot be made says nothing of the act itself
 */
export async function offerJob(
  wanted: JobRequest,
  entries: readonly Entry[],
): Promise<'small' | 'started' | 'cancelled'> {
  if (!mayBeLong(entries)) return 'small'
  let plan = await planJob(wanted).catch(() => undefined)
  if (!plan?.isLarge) return 'small'
  for (let isNew = false; ; isNew = true) {
    const asked = { plan, of: entries[0]?.name ?? '', count: entries.length, isNew }
    if (!(await ask({ name: 'plan', ...asked }))) return 'cancelled'
    const next = await started(wanted, plan)
    if (next === 'started') return 'started'
    plan = next
  }
}

/** @returns the plan of this moment, where the confirmed one is not true any more */
async function started(wanted: JobRequest, plan: JobPlan): Promise<'started' | JobPlan> {
  try {
    await startJob(wanted, plan)
    return 'started'
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
    return planJob(wanted)
  }
}

/** Nobody knows what is in a folder before it is looked at. */
function mayBeLong(entries: readonly Entry[]): boolean {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  const isMuch = entries.length > LIMITS.jobEntries || bytes > LIMITS.jobBytes
  return isMuch || entries.some(({ isDir, isSymlink }) => isDir && !isSymlink)
}
