/** Undo and redo. */
import { t } from '#ui/i18n/i18n.ts'
import { redoLast, undoLast } from '#ui/state/changes/undo.ts'
import { reloadListing } from '#ui/state/folder/listing.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import type { Action } from './types.ts'

export const undoActions = [
  {
    id: 'undo',
    label: 'actions.undo',
    icon: 'undo-2',
    mirror: true,
    keys: ['Ctrl+Z'],
    when: ({ page, canUndo }) => page === 'folder' && canUndo,
    async run() {
      await undoLast()
      toastSuccess(t('toasts.undone'))
      await reloadListing()
    },
  },
  {
    id: 'redo',
    label: 'actions.redo',
    icon: 'redo-2',
    mirror: true,
    keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
    when: ({ page, canRedo }) => page === 'folder' && canRedo,
    async run() {
      await redoLast()
      toastSuccess(t('toasts.redone'))
      await reloadListing()
    },
  },
] as const satisfies readonly Action[]
