import { SortButton } from '#ui/components/controls/SortButton.tsx'
import { ariaSort, orderBy } from '#ui/lib/entries/sort.ts'
import { SORT_KEYS, type Sorting } from '#wire/api/entry.ts'
import './ShareHead.css'

interface ShareHeadProps {
  sorting: Sorting
  onSort(sorting: Sorting): void
}

/** The column headers; a click sorts by a column, a second click reverses the order. */
export function ShareHead({ sorting, onSort }: ShareHeadProps) {
  return (
    <thead className="ShareHead">
      <tr>
        {SORT_KEYS.map((by) => (
          <th
            key={by}
            scope="col"
            className="ShareHead__column"
            data-column={by}
            aria-sort={ariaSort(by, sorting)}
          >
            <SortButton by={by} sorting={sorting} onClick={() => onSort(orderBy(by, sorting))} />
          </th>
        ))}
        <td className="ShareHead__column" data-column="actions" />
      </tr>
    </thead>
  )
}
