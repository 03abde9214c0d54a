/** Groups the files of one folder in one row, because thousands of names are not readable. */
import { type Signal, signal } from '@preact/signals-react'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import type { TaskState, UploadTask } from './tasks.ts'

export interface GroupProgress {
  /** `failed`: all files have ended, and at least one failed; each failed file has its own row. */
  state: Exclude<TaskState, 'aborted'>
  /** The number of files that are not cancelled. */
  files: number
  /** The number of files that are uploaded. */
  done: number
  totalBytes: number
  sentBytes: number
}

/** A folder that is uploaded, with all files below it. */
export interface UploadGroup {
  /** The folder's path, which is unique among groups. */
  readonly group: TreePath
  /** The progress that the row displays. */
  readonly shown: Signal<GroupProgress>
}

/** The child folder of `folder` that contains the file; undefined for a file directly in `folder`. */
export function groupOf(path: TreePath, folder: TreePath): TreePath | undefined {
  const depth = segmentsOf(folder).length
  const segments = segmentsOf(path)
  if (segments.length <= depth + 1) return undefined
  // A TreePath cut at the end of a segment is a TreePath.
  return `/${segments.slice(0, depth + 1).join('/')}` as TreePath
}

/**
 * The progress of each folder. Cancelled files do not count; a folder with only cancelled files has no row. A folder of
 * which the browser cannot read a part has failed.
 */
function progressOfGroups(tasks: readonly UploadTask[]): Map<TreePath, GroupProgress> {
  const states = new Map<TreePath, Set<TaskState>>()
  const groups = new Map<TreePath, GroupProgress>()
  for (const { group, state, sizeBytes, sentBytes, isDir } of tasks) {
    if (!group || state === 'aborted') continue
    const sum = groups.get(group) ?? { ...NOTHING }
    sum.files += isDir ? 0 : 1
    sum.done += state === 'done' ? 1 : 0
    sum.totalBytes += sizeBytes
    sum.sentBytes += sentBytes
    groups.set(group, sum)
    states.set(group, (states.get(group) ?? new Set()).add(state))
  }
  // A folder that cannot be read at all has a row of its own.
  for (const [group, { files }] of groups) if (files === 0) groups.delete(group)
  for (const [group, sum] of groups) sum.state = stateOf(states.get(group) ?? new Set())
  return groups
}

const NOTHING: GroupProgress = { state: 'queued', files: 0, done: 0, totalBytes: 0, sentBytes: 0 }

function stateOf(states: ReadonlySet<TaskState>): GroupProgress['state'] {
  if (states.has('active')) return 'active'
  if (states.has('waiting')) return 'waiting'
  if (states.has('queued')) return states.has('done') || states.has('failed') ? 'active' : 'queued'
  return states.has('failed') ? 'failed' : 'done'
}

/** The rows of folders. A row stays the same object as long as it is shown. */
export class Groups {
  #shown = new Map<TreePath, UploadGroup>()

  /**
   * Updates all rows from the tasks.
   *
   * @returns true if a row was added or removed, or if the state of a row has changed
   */
  update(tasks: readonly UploadTask[]): boolean {
    const progressByGroup = progressOfGroups(tasks)
    let hasChanged = progressByGroup.size !== this.#shown.size
    const rows = new Map<TreePath, UploadGroup>()
    for (const [group, progress] of progressByGroup) {
      const row = this.#shown.get(group) ?? { group, shown: signal(progress) }
      hasChanged ||= !this.#shown.has(group) || row.shown.value.state !== progress.state
      if (!isSame(row.shown.value, progress)) row.shown.value = progress
      rows.set(group, row)
    }
    this.#shown = rows
    return hasChanged
  }

  get(group: TreePath): UploadGroup | undefined {
    return this.#shown.get(group)
  }
}

function isSame(a: GroupProgress, b: GroupProgress): boolean {
  return (
    a.state === b.state && a.files === b.files && a.done === b.done && a.sentBytes === b.sentBytes
  )
}
