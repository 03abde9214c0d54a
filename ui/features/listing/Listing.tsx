import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { menuItems, type Surface } from '#ui/actions/arrangement.ts'
import { Menu } from '#ui/components/Menu.tsx'
import { t as translate, useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/menu-position.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { listing, shownItems } from '#ui/state/listing.ts'
import type { Entry, Listing as Folder } from '#wire/entry.ts'
import { EmptyFolder } from './EmptyFolder.tsx'
import { FilterBar } from './FilterBar.tsx'
import { Grid } from './Grid.tsx'
import { NothingFound } from './NothingFound.tsx'
import './Listing.css'

/** A folder: its items in the person's view, or what to do about an empty one. */
export function Listing({ folder }: { folder: Folder }) {
  const { t } = useTranslation()
  const { filter } = useSnapshot(listing)
  const [menu, setMenu] = useState<{ surface: Surface; anchor: Anchor } | null>(null)
  const items = shownItems(folder, filter)
  const contextMenu = menu && (
    <Menu
      label={t('common.more')}
      heading={menu.surface === 'item' ? headingOf(actionContext().targets) : undefined}
      items={menuItems(menu.surface, actionContext())}
      anchor={menu.anchor}
      onClose={() => setMenu(null)}
    />
  )
  if (folder.items.length === 0) return <EmptyFolder openMenu={setMenu}>{contextMenu}</EmptyFolder>
  return (
    <div className="Listing">
      {filter !== null && <FilterBar text={filter} found={items} total={folder.items.length} />}
      {items.length > 0 ? (
        <Grid items={items} sorting={folder.sorting} openMenu={setMenu} />
      ) : (
        <NothingFound text={filter ?? ''} />
      )}
      {contextMenu}
    </div>
  )
}

/** What the menu of items is about. */
function headingOf(targets: readonly Entry[]): string | undefined {
  const [first] = targets
  return targets.length === 1
    ? first?.name
    : translate('listing.selected', { count: targets.length })
}
