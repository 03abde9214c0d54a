/** The upload task: a file to upload or a folder to create, with its state for the queue and the panel. */
import { type Signal, signal } from '@preact/signals-react'
import type { TreePath } from '#wire/paths.ts'
import type { UploadBatch } from '../send/batch.ts'
import type { Upload } from '../send/transport.ts'

export type TaskState =
  | 'queued'
  | 'active'
  /** The connection is lost or the user must sign in; the task continues afterwards by itself. */
  | 'waiting'
  | 'done'
  | 'failed'
  | 'aborted'

/** The part of a task that a row of the upload panel shows. */
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
  /** Null for a folder to create, and for what the browser cannot read. */
  readonly upload: Upload | null
  readonly isDir: boolean
  /** The topmost uploaded folder above the file; undefined if the file was not chosen as part of a folder. */
  readonly group: TreePath | undefined
  /** The size, read from the file once, because some browsers access the disk for each read. */
  readonly sizeBytes: number
  /** The user who started the upload. It never continues as another user. */
  readonly userId: number | undefined
  /** Bytes that the server already had when an attempt began. They are not counted in the speed. */
  resumedBytes: number
  /** The number of bytes that the server has confirmed. */
  acceptedBytes: number
  /** Whether the browser has stored the task, so that it can continue after the page was closed. */
  isStored: boolean
  /** Whether a request was sent, so that a part of the file, or all of it, may be on the server. */
  wasAttempted: boolean
  /** Whether a request had no response that says whether it has stored the file, and the server was not asked since. */
  mayBeStored: boolean
  /** The request that sends this file together with others; undefined if it is sent alone, as in every later attempt. */
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
    isDir?: boolean
    group?: TreePath | undefined
    isStored?: boolean
  },
): UploadTask {
  lastId += 1
  return {
    ...fields,
    isDir: fields.isDir ?? fields.upload === null,
    group: fields.group,
    id: lastId,
    sizeBytes: fields.upload?.file.size ?? 0,
    state: 'queued',
    sentBytes: 0,
    error: undefined,
    resumedBytes: 0,
    acceptedBytes: 0,
    isStored: fields.isStored ?? false,
    wasAttempted: false,
    mayBeStored: false,
    batch: undefined,
    abort: new AbortController(),
    entry: undefined,
    shown: signal<Progress>({ state: 'queued', sentBytes: 0, error: undefined }),
  }
}

/** Whether the task has ended. A failed or aborted task continues only if the user retries it. */
export function isSettled({ state }: UploadTask): boolean {
  return state === 'done' || state === 'failed' || state === 'aborted'
}
