/** Long copies, moves and deletions: the user confirms a plan, and the server runs the job in the background. */
import { planJob, startJob } from '#ui/state/jobs.ts'
import { ask } from '#ui/state/prompts.ts'
import type { Entry } from '#wire/entry.ts'
import { isFault } from '#wire/fault.ts'
import type { JobPlan, JobRequest } from '#wire/jobs.ts'
import { LIMITS } from '#wire/limits.ts'

/**
 * Offers a job if the operation would take long.
 *
 * @returns `small` if the operation should run directly; also if no plan can be made, because that does not mean that
 * the operation fails
 */
export async function offerJob(
  jobRequest: JobRequest,
  entries: readonly Entry[],
): Promise<'small' | 'started' | 'cancelled'> {
  if (!mayBeLong(entries)) return 'small'
  const plan = await planJob(jobRequest).catch(() => undefined)
  if (!plan?.isLarge) return 'small'
  return askForJob(jobRequest, plan, { entryName: entries[0]?.name ?? '', count: entries.length })
}

/** Starts an operation that is always a job. A large plan, or one that leaves something out, is confirmed first. */
export async function confirmJob(
  jobRequest: JobRequest,
  plan: JobPlan,
  subject: JobSubject,
): Promise<void> {
  const isPlain = !plan.isLarge && plan.refused === 0 && plan.freeAfter >= 0
  const next = isPlain ? await tryStart(jobRequest, plan) : plan
  if (next !== 'started') await askForJob(jobRequest, next, subject)
}

/** The number of entries, and the name of the first. */
interface JobSubject {
  entryName: string
  count: number
}

async function askForJob(
  jobRequest: JobRequest,
  first: JobPlan,
  subject: JobSubject,
): Promise<'started' | 'cancelled'> {
  let plan = first
  for (let isNew = false; ; isNew = true) {
    if (!(await ask({ name: 'plan', plan, ...subject, isNew }))) return 'cancelled'
    const next = await tryStart(jobRequest, plan)
    if (next === 'started') return 'started'
    plan = next
  }
}

/** @returns the new plan if the confirmed one is outdated */
async function tryStart(jobRequest: JobRequest, plan: JobPlan): Promise<'started' | JobPlan> {
  try {
    await startJob(jobRequest, plan)
    return 'started'
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
    return planJob(jobRequest)
  }
}

/** The size of a folder is unknown before it is scanned. */
function mayBeLong(entries: readonly Entry[]): boolean {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  const isLarge = entries.length > LIMITS.jobEntries || bytes > LIMITS.jobBytes
  return isLarge || entries.some(({ isDir, isSymlink }) => isDir && !isSymlink)
}
