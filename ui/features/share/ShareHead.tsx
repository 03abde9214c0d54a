import { Icon } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Sorting, SortKey } from '#wire/entry.ts'
import './ShareHead.css'

const COLUMNS = ['name', 'size', 'modified'] as const satisfies readonly SortKey[]

interface ShareHeadProps {
  sorting: Sorting
  onSort(sorting: Sorting): void
}

/** The columns' names; a click orders by one, a second click turns the order round. */
export function ShareHead({ sorting, onSort }: ShareHeadProps) {
  const { t } = useTranslation()
  return (
    <thead className="ShareHead">
      <tr>
        {COLUMNS.map((by) => (
          <th
            key={by}
            scope="col"
            className="ShareHead__column"
            data-column={by}
            aria-sort={sorting.by !== by ? 'none' : sorting.asc ? 'ascending' : 'descending'}
          >
            <button
              type="button"
              className="ShareHead__sort"
              onClick={() => onSort(nextOrder(by, sorting))}
            >
              {t(`listing.${by}`)}
              {sorting.by === by && <Icon name={sorting.asc ? 'arrow-up' : 'arrow-down'} />}
            </button>
          </th>
        ))}
        <td className="ShareHead__column" data-column="act" />
      </tr>
    </thead>
  )
}

/** Names begin with A, sizes with the largest, dates with the latest. */
function nextOrder(by: SortKey, sorting: Sorting): Sorting {
  return { by, asc: sorting.by === by ? !sorting.asc : by === 'name' }
}
