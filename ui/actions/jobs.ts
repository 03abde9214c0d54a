/**
 * Long copies, moves and deletions: the user confirms a plan, and the server runs the job in the background. What only
 * goes to the trash is not confirmed.
 */
import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { planJob, startJob } from '#ui/state/changes/jobs.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { JobPlan, JobRequest } from '#wire/api/jobs.ts'
import { isFault, readFaultHeader } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'

/**
 * Offers a job if the operation would take long.
 *
 * @returns `small` if the operation should run directly, without a job
 * @throws Fault as `planFor`
 */
export async function offerJob(
  jobRequest: JobRequest,
  entries: readonly Entry[],
): Promise<'small' | 'started' | 'cancelled'> {
  if (!mayBeLong(entries)) return 'small'
  if (entries.length > LIMITS.jobItemsMax) {
    toastError(t('toasts.itemsMax', { max: formatNumber(LIMITS.jobItemsMax) }))
    return 'cancelled'
  }
  const plan = await planFor(jobRequest, entries)
  if (!plan?.isLarge) return 'small'
  return askForJob(jobRequest, plan, { entryName: entries[0]?.name ?? '', count: entries.length })
}

/**
 * Moves many entries to the trash by a job, without a confirmation.
 *
 * @param entries at most `LIMITS.jobItemsMax`
 * @returns `small` if they should be deleted directly, as for `offerJob`. If the trash does not keep some, nothing is
 * started, and the result is these entries, or the first of them.
 */
export async function trashByJob(
  entries: readonly Entry[],
): Promise<'small' | 'started' | readonly Entry[]> {
  if (!mayBeLong(entries)) return 'small'
  const items = entries.map(({ path }) => ({ path, decision: 'onlyToTrash' as const }))
  const jobRequest: JobRequest = { kind: 'delete', items }
  let plan = await planFor(jobRequest, entries)
  for (let attempt = 0; plan?.isLarge && attempt < START_ATTEMPTS; attempt += 1) {
    const unkept = new Set(plan.items.filter(isUnkept).map(({ path }) => path))
    if (unkept.size > 0) return entries.filter(({ path }) => unkept.has(path))
    const result = await tryStart(jobRequest, plan)
    if (result === 'started') return 'started'
    plan = result
  }
  // Also if the files change all the time: a direct deletion needs no plan.
  return 'small'
}

/** How often a job is started with a new plan, because the one before was outdated. */
const START_ATTEMPTS = 3

/** Whether an item of a plan is one that the trash does not keep. */
function isUnkept({ fault }: JobPlan['items'][number]): boolean {
  return readFaultHeader(fault)?.options.reason === 'notKept'
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
  let plan = first
  for (let isNew = false; ; isNew = true) {
    if (!(await ask({ name: 'plan', plan, ...subject, isNew }))) return 'cancelled'
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

/**
 * @returns undefined if the server refuses to plan a small number: the operation itself may still succeed
 * @throws Fault of the server for many entries, which are not handled one by one
 */
async function planFor(
  jobRequest: JobRequest,
  entries: readonly Entry[],
): Promise<JobPlan | undefined> {
  try {
    return await planJob(jobRequest)
  } catch (error) {
    if (entries.length > LIMITS.jobEntries) throw error
    return undefined
  }
}

/** Whether an operation on the entries may take long. A folder may be of any size until it is scanned. */
function mayBeLong(entries: readonly Entry[]): boolean {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  const isLarge = entries.length > LIMITS.jobEntries || bytes > LIMITS.jobBytes
  return isLarge || entries.some(({ isDir, isSymlink }) => isDir && !isSymlink)
}
