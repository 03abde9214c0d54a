/** The actions on an entry of the page of space: those of found entries. */
import { foundContext } from '#ui/actions/found-context.ts'
import { perform } from '#ui/actions/registry.ts'
import { actionLabel, actionsOn } from '#ui/actions/surfaces.ts'
import type { MenuItem } from '#ui/components/overlays/Menu.tsx'
import { t } from '#ui/i18n/i18n.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { preselect } from '#ui/state/folder/listing.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parentPath } from '#wire/paths.ts'

/** Actions after which the page is loaded again. */
const CHANGING: readonly string[] = ['moveTo', 'copyTo', 'delete']

/** @param onChanged called after an action that may have changed the entry */
export function spaceMenu(entry: Entry, onChanged: () => void): MenuItem[] {
  const context = foundContext([entry], [entry])
  const items: MenuItem[] = actionsOn('finder', context)
    .flat()
    // Quick Look belongs to the list of a folder or of a search.
    .filter(({ id }) => id !== 'quickLook')
    .map((action) => ({
      id: action.id,
      label: actionLabel(action, context),
      icon: action.icon,
      mirror: action.mirror ?? false,
      danger: action.danger ?? false,
      onSelect: () =>
        void perform(action, context).then(() => {
          if (CHANGING.includes(action.id)) onChanged()
        }),
    }))
  items.push({
    id: 'showInFolder',
    label: t('finder.showInFolder'),
    icon: 'folder-open',
    startsGroup: true,
    onSelect() {
      preselect([entry.name])
      goTo(filesUrl(parentPath(entry.path), true))
    },
  })
  return items
}
