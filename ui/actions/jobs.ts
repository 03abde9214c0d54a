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
  const plan = await planJob(wanted).catch(() => undefined)
  if (!plan?.isLarge) return 'small'
  return askForJob(wanted, plan, { of: entries[0]?.name ?? '', count: entries.length })
}

/** Starts what is always a job; a plan that is large, or leaves something out, is shown first. */
export async function confirmJob(wanted: JobRequest, plan: JobPlan, about: About): Promise<void> {
  const isPlain = !plan.isLarge && plan.refused === 0 && plan.freeAfter >= 0
  const next = isPlain ? await started(wanted, plan) : plan
  if (next !== 'started') await askForJob(wanted, next, about)
}

/** So many things, and what the first is called. */
interface About {
  of: string
  count: number
}

async function askForJob(
  wanted: JobRequest,
  first: JobPlan,
  about: About,
): Promise<'started' | 'cancelled'> {
  let plan = first
  for (let isNew = false; ; isNew = true) {
    if (!(await ask({ name: 'plan', plan, ...about, isNew }))) return 'cancelled'
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
