/** One upload as the queue and the panel know it. */
import { type Signal, signal } from '@preact/signals-react'
import type { TreePath } from '#wire/paths.ts'
import type { Batch } from './batch.ts'
import type { Upload } from './transport.ts'

export type TaskState =
  | 'queued'
  | 'active'
  /** The connection is gone; it goes on by itself when that returns. */
  | 'waiting'
  | 'done'
  | 'failed'
  | 'aborted'

/** What a row shows of a task. */
export interface Progress {
  state: TaskState
  sentBytes: number
  /** Why it failed. */
  error: unknown
}

/** Either a file on its way, or a folder to be made. */
export interface UploadTask extends Progress {
  readonly id: number
  readonly path: TreePath
  readonly upload: Upload | null
  /** The folder it came in; undefined for a file that was chosen itself. */
  readonly group: TreePath | undefined
  /** Asked of the file once: a browser goes to the disk for it each time. */
  readonly sizeBytes: number
  /** Who began it; nobody else goes on with it. */
  readonly userId: number | undefined
  /** Bytes that an earlier visit had already sent: they say nothing of the speed. */
  resumedBytes: number
  /** What the server has confirmed to have. */
  acceptedBytes: number
  /** An earlier attempt may have left something on the server. */
  attempted: boolean
  /** With what it is sent at first; afterwards it goes by itself. */
  batch: Batch | undefined
  abort: AbortController
  /** The server's entry of the change in its journal, once it is done. */
  entry: number | undefined
  /** The progress above, brought to the eye at most every `UI_LIMITS.uploadProgressThrottleMs`. */
  readonly shown: Signal<Progress>
}

let lastId = 0

export function createTask(
  of: Pick<UploadTask, 'path' | 'upload' | 'userId'> & { group?: TreePath | undefined },
): UploadTask {
  lastId += 1
  return {
    ...of,
    group: of.group,
    id: lastId,
    sizeBytes: of.upload?.file.size ?? 0,
    state: 'queued',
    sentBytes: 0,
    error: undefined,
    resumedBytes: 0,
    acceptedBytes: 0,
    attempted: false,
    batch: undefined,
    abort: new AbortController(),
    entry: undefined,
    shown: signal<Progress>({ state: 'queued', sentBytes: 0, error: undefined }),
  }
}

/** Whether nothing more happens to the task by itself. */
export function isSettled({ state }: UploadTask): boolean {
  return state === 'done' || state === 'failed' || state === 'aborted'
}
