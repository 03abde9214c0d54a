/** Files that another app has shared with this one. */

import { filesOfInput } from '#ui/lib/drag-files.ts'
import { FILES, goTo, withBase } from '#ui/lib/location.ts'
import { deleteSharedFiles, sharedFiles } from '#ui/lib/shared-files.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/prompts.ts'
import { toastError } from '#ui/state/toasts.ts'
import { uploadFiles } from '#ui/uploads/queue.ts'
import { Fault } from '#wire/fault.ts'

/** Asks for a destination and uploads the files. If the user cancels, they are discarded. */
export async function receiveSharedFiles(): Promise<void> {
  goTo(`${FILES}/`, { replace: true })
  const scope = new URL(withBase('/'), location.href).href
  const files = await sharedFiles(scope)
  if (files.length === 0) return
  try {
    if (!actionContext().may('create')) throw new Fault('forbidden', 'Nothing may be uploaded.')
    const folder = await ask({ name: 'receive', names: files.map(({ name }) => name) })
    if (folder !== undefined) await uploadFiles(filesOfInput(files), folder)
  } catch (error) {
    toastError(error)
  } finally {
    await deleteSharedFiles(scope)
  }
}
