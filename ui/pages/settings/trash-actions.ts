/** What the trash does on request: restores items, or deletes them permanently after a question. */
import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { forgetItems, purgeItems, reloadTrash, restoreItems } from '#ui/state/changes/trash.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import type { Restored, TrashItemInfo } from '#wire/api/journal.ts'
import { Fault } from '#wire/fault.ts'

/** Restores items; a message says to where, and how many stay in the trash. */
export async function restore(items: readonly TrashItemInfo[]): Promise<void> {
  await runAction(async () => {
    const restored = await restoreItems(items)
    const shares = restored.reduce((sum, one) => sum + one.shares, 0)
    const sentences = [
      restoredText(items, restored),
      ...(restored.length < items.length
        ? [t('settings.trash.notRestored', { value: formatNumber(items.length - restored.length) })]
        : []),
      ...(shares > 0 ? [t('settings.trash.links', { value: formatNumber(shares) })] : []),
    ]
    return sentences.join(' · ')
  })
}

/**
 * Deletes items permanently, after the user has confirmed it.
 *
 * @param what.items undefined for all items, which `work` then deletes
 * @param what.all how many there are, if that is known
 */
export async function purge(
  { items, all }: { items?: readonly TrashItemInfo[]; all?: number | undefined },
  work = () => purgeItems(items ?? []),
): Promise<void> {
  const [first] = items ?? []
  const path = items?.length === 1 ? first?.path : undefined
  if (!(await ask({ name: 'purge', path, count: items?.length, all }))) return
  await runAction(async () => {
    try {
      await work()
    } catch (error) {
      const isAway = error instanceof Fault && error.reason === 'notMounted'
      if (!isAway || !(await ask({ name: 'purge', isAway }))) throw error
      await forgetItems(items)
      return t('settings.trash.forgotten')
    }
    return t('settings.trash.purged')
  })
}

function restoredText(items: readonly TrashItemInfo[], restored: readonly Restored[]): string {
  const [first] = restored
  if (!first || restored.length > 1) {
    return t('settings.trash.restoredItems', { value: formatNumber(restored.length) })
  }
  const { id, path } = first
  const isBeside = items.find((item) => item.id === id)?.path !== path
  return t(isBeside ? 'settings.trash.restoredBeside' : 'settings.trash.restored', { path })
}

/** Runs an action and shows its success or failure as a message. */
async function runAction(work: () => Promise<string>): Promise<void> {
  try {
    toastSuccess(await work())
  } catch (error) {
    toastError(error)
  }
  await reloadTrash()
}
