// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualized
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and `aria-activedescendant`
import { Fragment, Suspense } from 'react'
import { SortButton } from '#ui/components/controls/SortButton.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { sortColumns } from '#ui/lib/entries/sort.ts'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'
import { sortListing } from '#ui/state/folder/listing.ts'
import type { Sorting } from '#wire/api/entry.ts'
import type { ExtraColumn } from '../layout/columns.ts'
import { FilterButton } from './FilterButton.tsx'
import { ViewOptions } from './ViewOptions.tsx'
import './ListHeader.css'

/** Loaded after the list. The column keeps its width without it. */
const NameResizer = lazyPart(
  async () => (await import('./NameResizer.tsx')).NameResizer,
  () => null,
)

interface ListHeaderProps {
  sorting: Sorting
  /** The optional columns that the user chose. */
  columns: readonly ExtraColumn[]
}

/** The column headers; a click sorts by a column, a second click reverses the order. */
export function ListHeader({ sorting, columns }: ListHeaderProps) {
  const { t } = useTranslation()
  const isAfterListing = useAfterListing()
  const extra = columns.map((column) => (
    <div key={column} className="ListHeader__column" role="columnheader" data-column={column}>
      <span className="ListHeader__plain">{t(`listing.${column}`)}</span>
    </div>
  ))
  return (
    <div className="ListHeader" role="row" aria-rowindex={1} data-header>
      {sortColumns(sorting).map(({ by, order, onceClicked }) => (
        <Fragment key={by}>
          <div
            className="ListHeader__column"
            role="columnheader"
            data-column={by}
            aria-sort={order}
          >
            <SortButton by={by} sorting={sorting} onClick={() => void sortListing(onceClicked)} />
            {by === 'name' && isAfterListing && (
              <Suspense>
                <NameResizer />
              </Suspense>
            )}
          </div>
          {by === 'name' && extra}
        </Fragment>
      ))}
      <div className="ListHeader__column" role="columnheader" data-column="filter">
        <ViewOptions />
        <FilterButton />
      </div>
    </div>
  )
}
