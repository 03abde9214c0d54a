import { useState } from 'react'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { foldersIn } from '#ui/state/folder/folders.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'

/** The arrow before a breadcrumb: it opens a menu with the first subfolders of the parent (`subfoldersListedMax`). */
export function SiblingsArrow({ path }: { path: TreePath }) {
  const { t } = useTranslation()
  const [menu, setMenu] = useState<{ anchor: HTMLElement; folders: readonly TreePath[] }>()
  const parent = parentPath(path)
  const label = t('sidebar.siblings', {
    name: shownName(nameOf(parent)).text || t('places.home'),
  })

  async function openMenu(anchor: HTMLElement): Promise<void> {
    try {
      const entries = await foldersIn(parent)
      setMenu({
        anchor,
        folders: entries.slice(0, UI_LIMITS.subfoldersListedMax).map((entry) => entry.path),
      })
    } catch (error) {
      toastError(error)
    }
  }

  return (
    <>
      <button
        type="button"
        className="Crumbs__arrow"
        aria-label={label}
        data-tip={label}
        aria-haspopup="menu"
        aria-expanded={menu !== undefined}
        onClick={(event) => {
          if (menu) setMenu(undefined)
          else void openMenu(event.currentTarget)
        }}
      >
        <Icon name="chevron-right" mirror />
      </button>
      {menu && (
        <Menu
          label={label}
          anchor={menu.anchor}
          items={menu.folders.map((folder) => ({
            id: folder,
            label: shownName(nameOf(folder)).text,
            icon: folder === path ? ('folder-open' as const) : ('folder' as const),
            onSelect: () => goTo(filesUrl(folder, true)),
          }))}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )
}
