/** Undo and redo: what comes back is told, selected and shown. */
import { t } from '#ui/i18n/i18n.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { type ChangeInfo, redoLast, undoGroup, undoLast } from '#ui/state/changes/undo.ts'
import { reloadSiblings } from '#ui/state/file/viewer.ts'
import { listing, preselect, reloadListing } from '#ui/state/folder/listing.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { isListing } from '#wire/api/entry.ts'
import { nameOf, parentPath, parsePath } from '#wire/paths.ts'
import type { Action } from './types.ts'

export const undoActions = [
  {
    id: 'undo',
    label: 'actions.undo',
    icon: 'undo-2',
    mirror: true,
    keys: ['Ctrl+Z'],
    when: (context) => context.canUndo && !isText(context),
    run: () => undo(undoLast),
  },
  {
    id: 'redo',
    label: 'actions.redo',
    icon: 'redo-2',
    mirror: true,
    keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
    when: (context) => context.canRedo && !isText(context),
    async run() {
      try {
        const info = await redoLast()
        toastSuccess(info ? t('toasts.redoneWhat', { what: info.text }) : t('toasts.redone'))
        await showAgain(info?.after ?? [], info?.before ?? [])
      } catch (error) {
        toastError(error)
        await reloadListing()
      }
    },
  },
] as const satisfies readonly Action[]

/** Undoes the changes of a message. */
export function undoChanges(changes: readonly number[]): Promise<void> {
  return undo(() => undoGroup(changes))
}

async function undo(run: () => Promise<ChangeInfo | undefined>): Promise<void> {
  try {
    const info = await run()
    toastSuccess(info ? t('toasts.undoneWhat', { what: info.text }) : t('toasts.undone'))
    await showAgain(info?.before ?? [], info?.after ?? [])
  } catch (error) {
    toastError(error)
    await reloadListing()
  }
}

/** In the editor the keys belong to the text, also while a button of the editor has the focus. */
function isText({ page, viewer, isQuickLook }: ActionContext): boolean {
  return page === 'file' && viewer === 'editor' && !isQuickLook
}

/**
 * Loads the page again. In a folder, the entries that came back are selected. A viewer shows the file again that was
 * deleted, renamed or moved from it.
 *
 * @param back paths that exist again
 * @param gone paths that do not exist any more
 */
async function showAgain(back: readonly string[], gone: readonly string[]): Promise<void> {
  const { path, entry, status } = listing
  const [first] = back
  if (entry && !isListing(entry) && status !== 'idle') {
    const isShownGone = gone.includes(path)
    const isSibling = first !== undefined && parentPath(parsePath(first)) === parentPath(path)
    if (first !== undefined && back.length === 1 && (isShownGone || isSibling)) {
      reloadSiblings()
      goTo(filesUrl(parsePath(first), false), { replace: true })
      return
    }
  }
  const isHere = (other: string) => parentPath(parsePath(other)) === path
  if (back.some(isHere)) preselect(back.filter(isHere).map((other) => nameOf(parsePath(other))))
  await reloadListing()
}
