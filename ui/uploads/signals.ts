/**
 * The moving numbers. Jobs change as often as they like; the signals follow at most every
 * `UI_LIMITS.uploadProgressThrottleMs`, and only leaf components read them.
 */

import { batch, signal } from '@preact/signals-react'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isSettled, type Job, type JobState } from './jobs.ts'
import { EMPTY_METER, type Meter, measure, secondsLeft } from './meter.ts'

/** Counts are of files; a folder is only something on the way. */
export interface Tally {
  files: number
  done: number
  failed: number
  /** Files that have begun, whatever became of them. */
  begun: number
  totalBytes: number
  sentBytes: number
}

/** `done`: all is over and nothing failed. `ended`: all is over, something failed. */
export type Phase = 'idle' | 'active' | 'done' | 'ended'

const NOTHING: Tally = { files: 0, done: 0, failed: 0, begun: 0, totalBytes: 0, sentBytes: 0 }

/** What moves first, then what failed, what waits, what is done. */
export const rows = signal<readonly Job[]>([])
export const tally = signal<Tally>(NOTHING)
export const phase = signal<Phase>('idle')
/** Bytes a second; undefined while unknown. */
export const speed = signal<number | undefined>(undefined)
/** Seconds; undefined while unknown. */
export const timeLeft = signal<number | undefined>(undefined)
/** Whether everything that moves waits for the connection. */
export const disconnected = signal(false)

let jobs: Job[] = []
const changed = new Set<Job>()
let meter: Meter = EMPTY_METER
let timer: ReturnType<typeof setInterval> | undefined

/** Shows more jobs. Of an upload that is over, only what failed stays. */
export function showJobs(added: readonly Job[]): void {
  const isNew = phase.value !== 'active' && added.length > 0
  const kept = isNew ? jobs.filter(({ state }) => state === 'failed') : jobs
  jobs = [...kept, ...added]
  for (const job of added) if (job.state !== 'queued') changed.add(job)
  phase.value = 'active'
  timer ??= setInterval(refresh, UI_LIMITS.uploadProgressThrottleMs)
  refresh(true)
}

/** Says that a job is different now. */
export function touch(job: Job): void {
  changed.add(job)
}

/**
 * Everything has settled: shows the last numbers and stops. Returns what arrived since the
 * jobs began.
 */
export function settle(): Job[] {
  if (!timer) return []
  clearInterval(timer)
  timer = undefined
  jobs = jobs.filter(({ state }) => state !== 'aborted')
  refresh(true)
  meter = EMPTY_METER
  const failed = jobs.some(({ state }) => state === 'failed')
  batch(() => {
    speed.value = undefined
    timeLeft.value = undefined
    phase.value = jobs.length === 0 ? 'idle' : failed ? 'ended' : 'done'
  })
  return jobs.filter(({ state }) => state === 'done')
}

/** Takes everything off the panel. */
export function clearJobs(): void {
  jobs = []
  phase.value = 'idle'
  refresh(true)
}

export function findJob(id: number): Job | undefined {
  return jobs.find((job) => job.id === id)
}

export function unsettledJobs(): Job[] {
  return jobs.filter((job) => !isSettled(job))
}

function refresh(always = false): void {
  const now = tallyOf(jobs)
  const before = meter
  meter = measure(meter, now.sentBytes - resumedBytes(), performance.now())
  if (changed.size === 0 && meter === before && !always) return
  const reordered =
    always || changed.values().some(({ state, shown }) => state !== shown.value.state)
  batch(() => {
    for (const job of changed) {
      const { state, sentBytes, error } = job
      job.shown.value = { state, sentBytes, error }
    }
    changed.clear()
    if (reordered) rows.value = inOrder(jobs)
    tally.value = now
    speed.value = meter.bytesPerSec
    timeLeft.value = secondsLeft(meter, now.totalBytes - now.sentBytes)
    const moving = jobs.filter(({ state }) => state === 'active' || state === 'waiting')
    disconnected.value = moving.length > 0 && moving.every(({ state }) => state === 'waiting')
  })
}

function tallyOf(all: readonly Job[]): Tally {
  const sum = { ...NOTHING }
  for (const job of all) {
    if (!job.upload || job.state === 'aborted') continue
    sum.files += 1
    sum.totalBytes += job.sizeBytes
    sum.sentBytes += job.sentBytes
    if (job.state !== 'queued') sum.begun += 1
    if (job.state === 'done') sum.done += 1
    if (job.state === 'failed') sum.failed += 1
  }
  return sum
}

function resumedBytes(): number {
  return jobs.reduce((sum, job) => sum + (job.state === 'aborted' ? 0 : job.resumedBytes), 0)
}

/** Aborted jobs have no row, and a folder has one only while it is worth a word. */
function inOrder(all: readonly Job[]): Job[] {
  const ranks: Job[][] = [[], [], [], []]
  for (const job of all) {
    const rank = RANK[job.state]
    const quiet = !job.upload && job.state !== 'failed'
    if (rank !== undefined && !quiet) ranks[rank]?.push(job)
  }
  return ranks.flat()
}

const RANK: Partial<Record<JobState, number>> = {
  active: 0,
  waiting: 0,
  failed: 1,
  queued: 2,
  done: 3,
}
