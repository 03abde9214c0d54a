/** Jobs on the server, as this window follows them: told by the line of the folder, and looked at while they run. */
import { proxy, ref } from 'valtio'
import * as api from '#ui/api/jobs.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { Job, JobAction, JobPlan, JobRequest } from '#wire/jobs.ts'
import { LIMITS } from '#wire/limits.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import { session } from './session.ts'
import { toastError, toastSuccess } from './toasts.ts'
import { rememberChanges } from './undo.ts'

/** The newest first. A `ref`: they are replaced as a whole. */
export const jobs = proxy<{ shown: readonly Job[] }>({ shown: ref([]) })

/** Seen while they were under way: their end is shown. */
const followed = new Set<number>()
/** Begun in this window: their end is told, with a way to undo it. */
const begun = new Set<number>()
let timer: ReturnType<typeof setTimeout> | undefined
let isFollowing = false

export function isActive({ state }: Job): boolean {
  return state === 'waiting' || state === 'running' || state === 'paused'
}

/** Follows jobs until the returned function is called. */
export function followJobs(): () => void {
  isFollowing = true
  void refreshJobs()
  return () => {
    isFollowing = false
    clearTimeout(timer)
    followed.clear()
    begun.clear()
    jobs.shown = ref([])
  }
}

/** Looks at the jobs anew; a failure leaves what is shown. */
export async function refreshJobs(): Promise<void> {
  if (!isFollowing) return
  clearTimeout(timer)
  try {
    take(await api.list())
  } catch {
    // The next look comes, and the connection has a banner of its own.
  }
  if (!isFollowing || !jobs.shown.some(moves)) return
  clearTimeout(timer)
  timer = setTimeout(() => void refreshJobs(), LIMITS.jobsLookMs)
}

/** @throws Fault as the server says it */
export function planJob(wanted: JobRequest): Promise<JobPlan> {
  return api.plan(wanted)
}

/** Starts what was confirmed. @throws Fault conflict when the plan is not true any more */
export async function startJob(wanted: JobRequest, plan: JobPlan): Promise<void> {
  const { id } = await api.start(wanted, plan)
  begun.add(id)
  followed.add(id)
  await refreshJobs()
}

/** A failure becomes a message. */
export async function controlJob(job: Job, action: JobAction, item?: number): Promise<void> {
  try {
    await api.control(job.id, action, item)
    followed.add(job.id)
  } catch (error) {
    toastError(error)
  }
  await refreshJobs()
}

/** Takes jobs that are over out of sight, for ever. */
export async function dismissJobs(over: readonly Job[]): Promise<void> {
  for (const { id } of over) {
    followed.delete(id)
    await api.forget(id).catch(() => undefined)
  }
  await refreshJobs()
}

function take(all: readonly Job[]): void {
  const before = new Map(jobs.shown.map((job) => [job.id, job]))
  for (const job of all) if (isActive(job)) followed.add(job.id)
  jobs.shown = ref(all.filter(isShown))
  for (const job of all) {
    const was = before.get(job.id)
    if (begun.has(job.id) && !isActive(job) && (!was || isActive(was))) void tellEnd(job)
  }
}

/** What is under way, what this window has seen, and one's own that needs somebody. */
function isShown(job: Job): boolean {
  const isOwn = job.username === session.user?.username
  const needsSomebody = job.failed > 0 || job.state === 'failed'
  return isActive(job) || followed.has(job.id) || (isOwn && needsSomebody)
}

function moves(job: Job): boolean {
  return (isActive(job) && job.state !== 'paused') || (!isActive(job) && job.ended === '')
}

async function tellEnd({ id, state }: Job): Promise<void> {
  begun.delete(id)
  try {
    const job = await api.get(id)
    rememberChanges(job.entries)
    if (state === 'done' && job.entries.length > 0) toastSuccess(endText(job), job.entries)
  } catch (error) {
    toastError(error)
  }
}

const END = {
  copy: 'toasts.copiedTo',
  move: 'toasts.movedTo',
  delete: 'toasts.deleted',
  extract: 'toasts.extractedTo',
  archive: 'toasts.archived',
  sums: 'jobs.state.done',
  verify: 'jobs.state.done',
} as const

function endText({ kind, path, to, items, entries }: Job): string {
  const folder = to === '' ? '' : nameOf(parsePath(to)) || t('places.home')
  return t(END[kind], {
    count: Math.min(entries.length, items),
    name: nameOf(parsePath(path)),
    folder,
    archive: folder,
  })
}
