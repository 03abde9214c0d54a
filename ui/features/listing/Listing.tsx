import { useSignals } from '@preact/signals-react/runtime'
import { Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import { menuItems, type Surface } from '#ui/actions/surfaces.ts'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { t as translate, useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'
import { listing, shownItems } from '#ui/state/folder/listing.ts'
import { uploadingRowsIn } from '#ui/uploads/queue/uploading-rows.ts'
import type { Entry, Listing as Folder } from '#wire/api/entry.ts'
import { nameOf } from '#wire/paths.ts'
import { Grid } from './grid/Grid.tsx'
import { FilterBar } from './header/FilterBar.tsx'
import { NothingFound } from './NothingFound.tsx'
import './Listing.css'

const EmptyFolder = lazyPart(async () => (await import('./EmptyFolder.tsx')).EmptyFolder)

/** Its code is loaded with the first upload. If that fails, only the upload panel shows the uploads. */
const UploadingRows = lazyPart(
  async () => (await import('./UploadingRows.tsx')).UploadingRows,
  () => null,
)

/** Loaded after the listing, since printing does not wait for it. */
const PrintedList = lazyPart(
  async () => (await import('#ui/components/print/PrintedList.tsx')).PrintedList,
  () => null,
)

/** A folder: its entries in the user's view, or the actions of an empty folder. */
export function Listing({ folder }: { folder: Folder }) {
  useSignals()
  const { t } = useTranslation()
  const { filter, isComplete } = useSnapshot(listing)
  const [menu, setMenu] = useState<{ surface: Surface; anchor: Anchor } | null>(null)
  const isAfterListing = useAfterListing()
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
  const uploading = uploadingRowsIn(
    folder.path,
    () => new Set(folder.items.map(({ name }) => name)),
  )
  const isEmpty = folder.items.length === 0
  if (isEmpty && uploading.length === 0)
    return (
      <Suspense>
        <EmptyFolder openMenu={setMenu}>{contextMenu}</EmptyFolder>
      </Suspense>
    )
  return (
    <div className="Listing">
      {filter !== null && (
        <FilterBar
          text={filter}
          matches={items}
          total={isComplete ? folder.items.length : undefined}
        />
      )}
      {items.length > 0 || (isEmpty && uploading.length > 0) ? (
        <Grid items={items} sorting={folder.sorting} openMenu={setMenu}>
          {uploading.length > 0 && (
            <Suspense>
              <UploadingRows rows={uploading} />
            </Suspense>
          )}
        </Grid>
      ) : (
        // More entries are still loading, and the filter may match one of them.
        isComplete && <NothingFound text={filter ?? ''} />
      )}
      {contextMenu}
      {isAfterListing && (
        <Suspense>
          <PrintedList title={nameOf(folder.path) || t('places.home')} items={items} />
        </Suspense>
      )}
    </div>
  )
}

/** The heading of the context menu of the entries. */
function headingOf(targets: readonly Entry[]): string | undefined {
  const [first] = targets
  return targets.length === 1
    ? first?.name
    : translate('listing.selected', { count: targets.length, value: formatNumber(targets.length) })
}
