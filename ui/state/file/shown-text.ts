/** Saves a change of a text that is shown outside of the editor. */
import { save } from '#ui/api/files/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { encodeText } from '#ui/lib/text/text-bytes.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { groupChanges, reportChanges } from '../changes/undo.ts'
import { reloadListing } from '../folder/listing.ts'
import { toastError } from '../messages/toasts.ts'
import { readTextIfExists } from './text-file.ts'

/**
 * Saves the text, and reports it with Undo. A failure becomes a message, and so does a file that has another text than
 * the one that was shown; the folder is read again then.
 */
export async function saveShownText(path: TreePath, shown: string, changed: string): Promise<void> {
  try {
    const current = await readTextIfExists(path)
    if (current?.text !== shown)
      throw new Fault('precondition', 'The text has changed since it was shown.')
    const content = encodeText(changed, current.hasMark)
    const changes = await groupChanges(async (record) => {
      await save(path, content, current.etag, record)
    })
    reportChanges(t('toasts.saved', { name: nameOf(path) }), changes)
  } catch (error) {
    toastError(error)
  }
  await reloadListing()
}
