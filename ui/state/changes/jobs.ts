/** Jobs on the server as this window shows them: reported by the event stream, and polled while they run. */
import { proxy, ref } from 'valtio'
import * as api from '#ui/api/files/jobs.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { Job, JobAction, JobKind, JobPlan, JobRequest } from '#wire/api/jobs.ts'
import { LIMITS } from '#wire/limits.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import { loadUsageAgain } from '../folder/usage.ts'
import { toastError, toastSuccess } from '../messages/toasts.ts'
import { session } from '../session/session.ts'
import { onUndone, rememberChanges, reportChanges } from './undo.ts'

/** The newest first. A `ref`: it is replaced as a whole. */
export const jobs = proxy<{ shown: readonly Job[] }>({ shown: ref([]) })

/** Ids of jobs that this window saw unfinished, or controlled: they stay visible after their end. */
const followed = new Set<number>()
/** The requests of jobs started in this window, by the id: a message reports their end and offers to undo them. */
const startedHere = new Map<number, JobRequest>()
/** Finished jobs and their journal entries: the card of a job goes when its changes are undone. */
const ended = new Map<number, readonly number[]>()
/** The next poll. */
let timer: ReturnType<typeof setTimeout> | undefined
/** The running call of `followJobs`; undefined if jobs are not shown. */
let following: object | undefined

onUndone((group) => {
  const isUndone = ({ id }: Job) => ended.get(id)?.some((entry) => group.includes(entry)) === true
  const undone = jobs.shown.filter(isUndone)
  if (undone.length > 0) void dismissJobs(undone)
})

export function isActive({ state }: Job): boolean {
  return state === 'waiting' || state === 'running' || state === 'paused'
}

/** Loads and shows jobs until the returned function is called. */
export function followJobs(): () => void {
  following = {}
  void refreshJobs()
  return () => {
    following = undefined
    clearTimeout(timer)
    followed.clear()
    startedHere.clear()
    ended.clear()
    jobs.shown = ref([])
  }
}

/** Loads the jobs again. After a failure the current ones stay. */
export async function refreshJobs(): Promise<void> {
  const current = following
  if (!current) return
  clearTimeout(timer)
  try {
    const all = await api.list()
    // Another user may have signed in.
    if (following === current) update(all)
  } catch {
    // The next poll follows, and a banner reports the lost connection.
  }
  if (following !== current || !jobs.shown.some(needsPolling)) return
  clearTimeout(timer)
  timer = setTimeout(() => void refreshJobs(), LIMITS.jobsPollMs)
}

/** @throws Fault of the server */
export function planJob(jobRequest: JobRequest): Promise<JobPlan> {
  return api.plan(jobRequest)
}

/**
 * Starts a confirmed job.
 *
 * @throws Fault conflict (the files have changed since the plan was made)
 */
export async function startJob(jobRequest: JobRequest, plan: JobPlan): Promise<void> {
  const { id } = await api.start(jobRequest, plan)
  startedHere.set(id, jobRequest)
  followed.add(id)
  await refreshJobs()
}

/** Pauses, resumes, cancels or retries a job. A failure becomes a message. */
export async function controlJob(job: Job, action: JobAction, item?: number): Promise<void> {
  try {
    await api.control(job.id, action, item)
    followed.add(job.id)
  } catch (error) {
    toastError(error)
  }
  await refreshJobs()
}

/** Hides finished jobs: one's own permanently, those of other users only in this window. */
export async function dismissJobs(finished: readonly Job[]): Promise<void> {
  for (const job of finished) {
    followed.delete(job.id)
    if (isOwn(job)) await api.forget(job.id).catch(() => undefined)
  }
  await refreshJobs()
}

function update(all: readonly Job[]): void {
  const shownBefore = new Map(jobs.shown.map((job) => [job.id, job]))
  for (const job of all) if (isActive(job)) followed.add(job.id)
  jobs.shown = ref(all.filter(isShown))
  for (const job of all) {
    const old = shownBefore.get(job.id)
    if (startedHere.has(job.id) && !isActive(job) && (!old || isActive(old))) void reportEnd(job)
  }
}

/** Shown are unfinished jobs, jobs that this window saw unfinished, and one's own jobs that need a decision. */
function isShown(job: Job): boolean {
  const needsDecision = job.failed > 0 || job.state === 'failed'
  return isActive(job) || followed.has(job.id) || (isOwn(job) && needsDecision)
}

function isOwn({ username }: Job): boolean {
  return username === session.user?.username
}

/** Whether the job changes without a request: it is not paused, or the time of its end is not recorded yet. */
function needsPolling(job: Job): boolean {
  return (isActive(job) && job.state !== 'paused') || (!isActive(job) && job.ended === '')
}

/** Adds the changes of a job to the undo stack, and reports a complete success as a message. */
async function reportEnd({ id, state }: Job): Promise<void> {
  const jobRequest = startedHere.get(id)
  startedHere.delete(id)
  void loadUsageAgain()
  try {
    const job = await api.get(id)
    const isPermanent = isPermanentDeletion(jobRequest)
    if (!isPermanent) rememberChanges(job.entries)
    ended.set(id, job.entries)
    if (state !== 'done' || job.entries.length === 0) return
    if (isPermanent) toastSuccess(endText(job, 'toasts.deleted'))
    else reportChanges(endText(job), job.entries, { before: takenBy(jobRequest) })
  } catch (error) {
    toastError(error)
  }
}

/** The message of a job that has ended, by its kind. */
const END_TEXTS = {
  copy: 'toasts.copiedTo',
  move: 'toasts.movedTo',
  delete: 'toasts.trashed',
  extract: 'toasts.extractedTo',
  archive: 'toasts.archived',
  sums: 'jobs.state.done',
  verify: 'jobs.state.done',
  import: 'toasts.importedTo',
} as const

/** The paths that the job has taken away, and that its undo brings back. */
function takenBy({ kind, items }: JobRequest = { kind: 'copy', items: [] }): string[] {
  return kind === 'move' || kind === 'delete' ? items.map(({ path }) => path) : []
}

/** An undo of the job brings nothing back. */
function isPermanentDeletion({ kind, items }: JobRequest = { kind: 'copy', items: [] }): boolean {
  return kind === 'delete' && items.some(({ decision }) => decision !== 'onlyToTrash')
}

function endText(
  { kind, path, to, items, entries }: Job,
  key: (typeof END_TEXTS)[JobKind] | 'toasts.deleted' = END_TEXTS[kind],
): string {
  const folder = to === '' ? '' : nameOf(parsePath(to)) || t('places.home')
  return t(key, {
    count: Math.min(entries.length, items),
    name: nameOf(parsePath(path)),
    folder,
    archive: folder,
  })
}
