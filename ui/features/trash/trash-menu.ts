/** The context menu of selected rows of the trash. */
import type { MenuItem } from '#ui/components/overlays/Menu.tsx'
import { t } from '#ui/i18n/i18n.ts'
import { filesUrl, goTo, withBase } from '#ui/lib/page/location.ts'
import type { TrashActions } from './actions.ts'
import type { TrashRow } from './rows.ts'

export function trashMenu(
  rows: readonly TrashRow[],
  { onRestore, purgeOf }: TrashActions,
): MenuItem[] {
  const [first] = rows
  const items: MenuItem[] = []
  if (onRestore) {
    items.push({
      id: 'restore',
      label: t('settings.trash.restore'),
      icon: 'undo-2',
      mirror: true,
      onSelect: () => onRestore(rows),
    })
  }
  if (first && rows.length === 1) {
    const url = filesUrl(first.folder, true)
    items.push(
      {
        id: 'folder',
        label: t('finder.showInFolder'),
        icon: 'folder',
        startsGroup: true,
        onSelect: () => goTo(url),
      },
      {
        id: 'newTab',
        label: t('viewer.raw'),
        icon: 'external-link',
        onSelect: () => void open(withBase(url), '_blank', 'noopener'),
      },
    )
  }
  const purge = purgeOf(rows)
  if (purge) {
    items.push({
      id: 'purge',
      label: t('prompts.purge.act'),
      icon: 'trash-2',
      danger: true,
      startsGroup: true,
      onSelect: purge,
    })
  }
  return items
}
