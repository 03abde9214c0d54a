/** Ticks a check box of a text that is shown outside of the editor. */
import { save } from '#ui/api/files/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { encodeText } from '#ui/lib/text/text-bytes.ts'
import { groupChanges, reportChanges } from '#ui/state/changes/undo.ts'
import { readTextIfExists } from '#ui/state/file/text-file.ts'
import { reloadListing } from '#ui/state/folder/listing.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { toggleTask } from './tasks.ts'

/**
 * Saves the text with the box changed, and reports it with Undo. A failure becomes a message, and so does a text that
 * has changed since it was shown; the folder is read again then.
 *
 * @param shown the text with the box
 * @param index the number of the box, of `count` boxes
 */
export async function saveTask(
  path: TreePath,
  shown: string,
  index: number,
  count: number,
): Promise<void> {
  const change = toggleTask(shown, index, count)
  if (!change) return
  try {
    const present = await readTextIfExists(path)
    if (present?.text !== shown)
      throw new Fault('precondition', 'The text has changed since it was shown.')
    const text = shown.slice(0, change.from) + change.insert + shown.slice(change.to)
    const content = encodeText(text, present.hasMark)
    const changes = await groupChanges(async (record) => {
      await save(path, content, present.etag, record)
    })
    reportChanges(t('toasts.saved', { name: nameOf(path) }), changes)
  } catch (error) {
    toastError(error)
  }
  await reloadListing()
}
