/** Undo and redo: what comes back is told, selected and shown. */
import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import type { ChangeInfo } from '#ui/state/changes/stored-stack.ts'
import { type OnProgress, redoLast, undoGroup, undoLast } from '#ui/state/changes/undo.ts'
import { reloadListing } from '#ui/state/folder/listing.ts'
import { toastError, toastNote, toastProgress, toastSuccess } from '#ui/state/messages/toasts.ts'
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
        const info = await withProgress('toasts.redoing', redoLast)
        toastSuccess(info ? t('toasts.redoneWhat', { what: info.text }) : t('toasts.redone'))
        await (await shown()).showAgain(info?.after ?? [], info?.before ?? [])
      } catch (error) {
        toastError(error)
        await reloadListing()
      }
    },
  },
] as const satisfies readonly Action[]

/** Undoes the changes of a message. */
export function undoChanges(changes: readonly number[]): Promise<void> {
  return undo((onProgress) => undoGroup(changes, onProgress))
}

async function undo(
  run: (onProgress: OnProgress) => Promise<ChangeInfo | undefined | null>,
): Promise<void> {
  try {
    const info = await withProgress('toasts.undoing', run)
    if (info === null) return toastNote(t('toasts.nothingToUndo'))
    toastSuccess(info ? t('toasts.undoneWhat', { what: info.text }) : t('toasts.undone'))
    await (await shown()).showAgain(info?.before ?? [], info?.after ?? [])
  } catch (error) {
    toastError(error)
    await reloadListing()
  }
}

/** So many changes take a moment, so it is told how far they are, and the page asks before it is left. */
const MANY = 20

async function withProgress<T>(
  key: 'toasts.undoing' | 'toasts.redoing',
  run: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const progress = toastProgress()
  try {
    return await run((done, total) => {
      if (total < MANY) return
      if (done === 0) addEventListener('beforeunload', preventUnload)
      const counts = { done: formatNumber(done), total: formatNumber(total) }
      progress.show(
        key === 'toasts.undoing' ? t('toasts.undoing', counts) : t('toasts.redoing', counts),
      )
    })
  } finally {
    removeEventListener('beforeunload', preventUnload)
    progress.end()
  }
}

function preventUnload(event: Event): void {
  event.preventDefault()
}

/** Loaded with the first undo. */
const shown = () => import('./show-again.ts')

/** In the editor the keys belong to the text, also while a button of the editor has the focus. */
function isText({ page, viewer, isQuickLook }: ActionContext): boolean {
  return page === 'file' && viewer === 'editor' && !isQuickLook
}
