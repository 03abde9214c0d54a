/** Long copies, moves and deletions: the user confirms a plan, and the server runs the job in the background. */
import { planJob, startJob } from '#ui/state/changes/jobs.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { JobPlan, JobRequest } from '#wire/api/jobs.ts'
import { isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'

/**
 * Offers a job if the operation would take long.
 *
 * @returns `small` if the operation should run directly, without a job. Also if the server refuses to plan it: the
 * operation itself may still succeed.
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
  const unstarted = isPlain ? await tryStart(jobRequest, plan) : plan
  if (unstarted !== 'started') await askForJob(jobRequest, unstarted, subject)
}

/** What a job is about: the number of entries, and the name of the first. */
interface JobSubject {
  entryName: string
  count: number
}

/** Asks for a confirmation of the plan, and again of each new plan if the confirmed one is outdated. */
async function askForJob(
  jobRequest: JobRequest,
  first: JobPlan,
  subject: JobSubject,
): Promise<'started' | 'cancelled'> {
  const paths = jobRequest.items.map(({ path }) => path)
  let plan = first
  for (let isNew = false; ; isNew = true) {
    if (!(await ask({ name: 'plan', plan, paths, ...subject, isNew }))) return 'cancelled'
    const result = await tryStart(jobRequest, plan)
    if (result === 'started') return 'started'
    plan = result
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

/** Whether an operation on the entries may take long. A folder may be of any size until it is scanned. */
function mayBeLong(entries: readonly Entry[]): boolean {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  const isLarge = entries.length > LIMITS.jobEntries || bytes > LIMITS.jobBytes
  return isLarge || entries.some(({ isDir, isSymlink }) => isDir && !isSymlink)
}
