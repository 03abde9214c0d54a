/**
 * Progress values as signals. Tasks may change at any rate; the signals are updated at most every
 * `UI_LIMITS.uploadProgressThrottleMs`, and only leaf components read them.
 */

import { batch, computed, signal } from '@preact/signals-react'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { onUserChange } from '#ui/state/session/session.ts'
import { Groups, type UploadGroup } from './groups.ts'
import { EMPTY_METER, isStalled, measure, secondsLeft, type UploadMeter } from './meter.ts'
import { isSettled, type TaskState, type UploadTask } from './tasks.ts'

/** Only files are counted, except for `failed`. */
export interface Totals {
  /** The number of files that are not cancelled. */
  files: number
  done: number
  /** Files that are neither uploaded nor failed. */
  left: number
  /** Everything that is not uploaded or not complete: files and folders. */
  failed: number
  failedFolders: number
  /** Files whose upload has begun, in whatever state. */
  started: number
  totalBytes: number
  sentBytes: number
}

/** `done`: all tasks have ended without a failure. `ended`: all have ended, and at least one failed. */
export type Phase = 'idle' | 'active' | 'done' | 'ended'

const NOTHING: Totals = {
  files: 0,
  done: 0,
  left: 0,
  failed: 0,
  failedFolders: 0,
  started: 0,
  totalBytes: 0,
  sentBytes: 0,
}

/** A row of the panel: a file, or a folder with all files below it. */
export type UploadItem = UploadTask | UploadGroup

/** Sorted by state: active or waiting, failed, queued, done. */
export const rows = signal<readonly UploadItem[]>([])
export const totals = signal<Totals>(NOTHING)
export const phase = signal<Phase>('idle')
/** Bytes per second; undefined if unknown. */
export const speed = signal<number | undefined>(undefined)
/** The seconds until all uploads are done; undefined if unknown. */
export const timeLeft = signal<number | undefined>(undefined)
/** The fraction of bytes sent, from 0 to 1; of files if there are no bytes; undefined if no upload runs. */
export const sentFraction = computed(() => {
  if (phase.value !== 'active') return undefined
  const { sentBytes, totalBytes, done, files } = totals.value
  return totalBytes > 0 ? sentBytes / totalBytes : done / Math.max(1, files)
})
/** Whether all active uploads wait for the connection, or have sent nothing for a while. */
export const isDisconnected = signal(false)

/** All tasks of the panel. They are those of the signed-in user, or of the last one. */
let tasks: UploadTask[] = []
/** Tasks that another user started on this page. They are shown again when that user signs in. */
let tasksOfOthers: UploadTask[] = []
const groups = new Groups()
/** Tasks that have changed since the last refresh. */
const changed = new Set<UploadTask>()
let meter: UploadMeter = EMPTY_METER
/** Runs while tasks are unsettled. */
let timer: ReturnType<typeof setInterval> | undefined

/** Adds tasks to the panel. If all earlier tasks have settled, only the failed ones stay. */
export function showTasks(added: readonly UploadTask[]): void {
  const isNew = phase.value !== 'active' && added.length > 0
  const remaining = isNew ? tasks.filter(({ state }) => state === 'failed') : tasks
  tasks = [...remaining, ...added]
  for (const task of added) if (task.state !== 'queued') changed.add(task)
  phase.value = 'active'
  timer ??= setInterval(refresh, UI_LIMITS.uploadProgressThrottleMs)
  refresh(true)
}

/** Must be called after every change of a task: the next refresh shows it. */
export function markChanged(task: UploadTask): void {
  changed.add(task)
}

/**
 * Shows the final values and stops the updates, because all tasks have settled.
 *
 * @returns the files and folders uploaded since the tasks began
 */
export function finishTasks(): UploadTask[] {
  if (!timer) return []
  clearInterval(timer)
  timer = undefined
  tasks = tasks.filter(({ state }) => state !== 'aborted')
  refresh(true)
  meter = EMPTY_METER
  batch(() => {
    speed.value = undefined
    timeLeft.value = undefined
    phase.value = endPhase()
  })
  return tasks.filter(({ state }) => state === 'done')
}

onUserChange((user) => {
  if (!user) return
  const all = [...tasks, ...tasksOfOthers]
  tasks = all.filter(({ userId }) => userId === user.id)
  tasksOfOthers = all.filter(({ userId }) => userId !== user.id)
  if (tasks.length === 0 && tasksOfOthers.length === 0) return
  phase.value = unsettledTasks().length > 0 ? 'active' : endPhase()
  meter = EMPTY_METER
  refresh(true)
})

/** Removes all tasks from the panel. */
export function clearTasks(): void {
  tasks = []
  phase.value = 'idle'
  refresh(true)
  // The next upload is not measured from here.
  meter = EMPTY_METER
}

export function findTask(id: number): UploadTask | undefined {
  return tasks.find((task) => task.id === id)
}

export function unsettledTasks(): UploadTask[] {
  return tasks.filter((task) => !isSettled(task))
}

/** @returns the phase of the panel if all its tasks have settled */
function endPhase(): Phase {
  if (tasks.length === 0) return 'idle'
  return tasks.some(({ state }) => state === 'failed') ? 'ended' : 'done'
}

/** Updates the signals; without `always`, only if a task or the speed has changed. */
function refresh(always = false): void {
  const newTotals = totalsOf(tasks)
  const oldMeter = meter
  meter = measure(meter, newTotals.sentBytes - resumedBytes(), performance.now())
  if (changed.size === 0 && meter === oldMeter && !always) return
  const hasNewState =
    always || changed.values().some(({ state, shown }) => state !== shown.value.state)
  batch(() => {
    const reordered = groups.update(tasks) || hasNewState
    for (const task of changed) {
      const { state, sentBytes, error } = task
      task.shown.value = { state, sentBytes, error }
    }
    changed.clear()
    if (reordered) rows.value = sortedRows(tasks)
    totals.value = newTotals
    const unfinished = tasks.filter(({ state }) => state === 'active' || state === 'waiting')
    // When all is sent, the server has to answer.
    const hasUnsent = unfinished.some(({ sentBytes, sizeBytes }) => sentBytes < sizeBytes)
    const isStill = hasUnsent && isStalled(meter)
    speed.value = isStill ? undefined : meter.bytesPerSec
    timeLeft.value = isStill
      ? undefined
      : secondsLeft(meter, newTotals.totalBytes - newTotals.sentBytes)
    isDisconnected.value =
      isStill || (unfinished.length > 0 && unfinished.every(({ state }) => state === 'waiting'))
  })
}

function totalsOf(all: readonly UploadTask[]): Totals {
  const sum = { ...NOTHING }
  for (const task of all) {
    if (task.state === 'failed') sum.failed += 1
    if (task.state === 'failed' && task.isDir) sum.failedFolders += 1
    if (task.isDir || task.state === 'aborted') continue
    sum.files += 1
    sum.totalBytes += task.sizeBytes
    sum.sentBytes += task.sentBytes
    if (task.state !== 'queued') sum.started += 1
    if (task.state === 'done') sum.done += 1
    if (!isSettled(task)) sum.left += 1
  }
  return sum
}

function resumedBytes(): number {
  return tasks.reduce((sum, task) => sum + (task.state === 'aborted' ? 0 : task.resumedBytes), 0)
}

/**
 * The rows of the panel. Cancelled tasks have no row, and a folder to create has one only if it failed. The files of a
 * folder share one row; a failed file also has its own, for the retry button.
 */
function sortedRows(all: readonly UploadTask[]): UploadItem[] {
  const rowsByRank: UploadItem[][] = [[], [], [], []]
  const seen = new Set<UploadGroup>()
  for (const task of all) {
    const group = task.group && groups.get(task.group)
    if (group && !seen.has(group)) rowsByRank[RANK[group.shown.value.state] ?? 0]?.push(group)
    if (group) seen.add(group)
    const rank = RANK[task.state]
    const isHidden = (!task.upload || group) && task.state !== 'failed'
    if (rank !== undefined && !isHidden) rowsByRank[rank]?.push(task)
  }
  return rowsByRank.flat()
}

/** The position of each state in the list; rows of the same rank keep the order of their tasks. */
const RANK: Partial<Record<TaskState, number>> = {
  active: 0,
  waiting: 0,
  failed: 1,
  queued: 2,
  done: 3,
}
