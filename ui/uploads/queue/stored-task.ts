/** Stores tasks in the browser, so that their uploads continue after the page was closed. */
import { settings } from '#ui/state/session/settings.ts'
import { isResumable } from '../send/is-resumable.ts'
import { unsettledTasks } from './signals.ts'
import type { UploadTask } from './tasks.ts'
import { begunBefore, deleteUnfinished, storeUnfinished } from './unfinished.ts'

/**
 * Stores an upload that can be resumed, while it runs and after a failure. If an earlier task or page has begun the same
 * upload, this task continues it.
 */
export async function storeResumable(task: UploadTask): Promise<void> {
  const { upload, userId } = task
  if (!upload || userId === undefined || !isResumable(upload.file, settings.TusSettings)) return
  // Two tasks of this page must not send the same upload.
  if (!isPathInUse(task)) upload.begun ??= await begunBefore(upload, userId)
  storeUnfinished(upload, userId)
  task.isStored = true
}

/** Small files are not stored: the browser's storage is not read for each of thousands. */
export function deleteStored({ path, userId, isStored }: UploadTask): void {
  if (isStored && userId !== undefined) deleteUnfinished({ path, userId })
}

/** Whether another task sends a file to the same path. */
function isPathInUse(task: UploadTask): boolean {
  return unsettledTasks().some(
    (other) => other !== task && other.path === task.path && other.state !== 'queued',
  )
}
