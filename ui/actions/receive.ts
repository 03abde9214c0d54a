/** The upload of files that were received from another app. */

import { filesOfInput } from '#ui/lib/gestures/drag-files.ts'
import { FILES, goTo, withBase } from '#ui/lib/page/location.ts'
import { deleteReceivedFiles, receivedFiles } from '#ui/lib/urls/received-files.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { uploadFiles } from '#ui/uploads/queue/queue.ts'
import { Fault } from '#wire/fault.ts'

/** Asks for a folder and uploads the files to it. If the user cancels, they are discarded. */
export async function uploadReceivedFiles(): Promise<void> {
  goTo(`${FILES}/`, { replace: true })
  const scope = new URL(withBase('/'), location.href).href
  const files = await receivedFiles(scope)
  if (files.length === 0) return
  try {
    if (!actionContext().may('create')) throw new Fault('forbidden', 'Nothing may be uploaded.')
    const folder = await ask({ name: 'receive', names: files.map(({ name }) => name) })
    if (folder !== undefined) await uploadFiles(filesOfInput(files), folder)
  } catch (error) {
    toastError(error)
  } finally {
    await deleteReceivedFiles(scope)
  }
}
