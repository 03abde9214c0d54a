// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, a grid of boxes can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus and points at cells
import { SortButton } from '#ui/components/SortButton.tsx'
import { ariaSort, orderBy } from '#ui/lib/sort.ts'
import { sortListing } from '#ui/state/listing.ts'
import { SORT_KEYS, type Sorting } from '#wire/entry.ts'
import { FilterButton } from './FilterButton.tsx'
import { NameResizer } from './NameResizer.tsx'
import './ListHeader.css'

/** The columns' names; a click orders by one, a second click turns the order round. */
export function ListHeader({ sorting }: { sorting: Sorting }) {
  return (
    <div className="ListHeader" role="row" aria-rowindex={1} data-header>
      {SORT_KEYS.map((by) => (
        <div
          key={by}
          className="ListHeader__column"
          role="columnheader"
          data-column={by}
          aria-sort={ariaSort(by, sorting)}
        >
          <SortButton
            by={by}
            sorting={sorting}
            onClick={() => void sortListing(orderBy(by, sorting))}
          />
          {by === 'name' && <NameResizer />}
        </div>
      ))}
      <div className="ListHeader__column" role="columnheader" data-column="filter">
        <FilterButton />
      </div>
    </div>
  )
}
