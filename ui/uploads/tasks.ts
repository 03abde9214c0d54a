/** The upload task: one upload as the queue and the panel see it. */
import { type Signal, signal } from '@preact/signals-react'
import type { TreePath } from '#wire/paths.ts'
import type { UploadBatch } from './batch.ts'
import type { Upload } from './transport.ts'

export type TaskState =
  | 'queued'
  | 'active'
  /** The connection is lost; the task resumes automatically when it is back. */
  | 'waiting'
  | 'done'
  | 'failed'
  | 'aborted'

/** The part of a task that a row shows. */
export interface Progress {
  state: TaskState
  sentBytes: number
  /** Why the task failed; undefined in other states. */
  error: unknown
}

/** Either a file to upload, or a folder to create. */
export interface UploadTask extends Progress {
  readonly id: number
  readonly path: TreePath
  readonly upload: Upload | null
  /** The uploaded folder that contains the file; undefined for a file that was chosen directly. */
  readonly group: TreePath | undefined
  /** Read from the file once, because some browsers access the disk for each read. */
  readonly sizeBytes: number
  /** The user who started the upload. It never continues as another user. */
  readonly userId: number | undefined
  /** Bytes that were sent before the page was reloaded: they do not count for the speed. */
  resumedBytes: number
  /** The number of bytes that the server has confirmed. */
  acceptedBytes: number
  /** Whether this browser has stored it, so that it can be resumed after the page was closed. */
  isStored: boolean
  /** Whether an earlier attempt may have left partial content on the server. */
  attempted: boolean
  /** The batch of the first attempt; a retry sends the file alone. */
  batch: UploadBatch | undefined
  abort: AbortController
  /** The journal entry of the upload, after it is done. */
  entry: number | undefined
  /** The progress, updated for display at most every `UI_LIMITS.uploadProgressThrottleMs`. */
  readonly shown: Signal<Progress>
}

let lastId = 0

/** @returns a task for a file or a new folder; the caller adds it to the queue */
export function createTask(
  fields: Pick<UploadTask, 'path' | 'upload' | 'userId'> & {
    group?: TreePath | undefined
    isStored?: boolean
  },
): UploadTask {
  lastId += 1
  return {
    ...fields,
    group: fields.group,
    id: lastId,
    sizeBytes: fields.upload?.file.size ?? 0,
    state: 'queued',
    sentBytes: 0,
    error: undefined,
    resumedBytes: 0,
    acceptedBytes: 0,
    isStored: fields.isStored ?? false,
    attempted: false,
    batch: undefined,
    abort: new AbortController(),
    entry: undefined,
    shown: signal<Progress>({ state: 'queued', sentBytes: 0, error: undefined }),
  }
}

/** Whether the task has ended; only the user can restart it. */
export function isSettled({ state }: UploadTask): boolean {
  return state === 'done' || state === 'failed' || state === 'aborted'
}
