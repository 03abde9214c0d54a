// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, a grid of boxes can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus and points at rows
import { useState } from 'react'
import { Icon } from '#ui/components/Icon.tsx'
import { Menu } from '#ui/components/Menu.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/media.ts'
import { sortListing } from '#ui/state/listing.ts'
import type { Sorting, SortKey } from '#wire/entry.ts'
import './ListHeader.css'

const COLUMNS = ['name', 'size', 'modified'] as const satisfies readonly SortKey[]

/** The columns' names; a click orders by one, a second click turns the order round. */
export function ListHeader({ sorting }: { sorting: Sorting }) {
  const { t } = useTranslation()
  const narrow = useMedia(NARROW)
  if (narrow) return <SortMenu sorting={sorting} />
  return (
    <div className="ListHeader" role="row" aria-rowindex={1}>
      {COLUMNS.map((by) => (
        <div
          key={by}
          className="ListHeader__column"
          role="columnheader"
          data-column={by}
          aria-sort={sorting.by !== by ? 'none' : sorting.asc ? 'ascending' : 'descending'}
        >
          <button type="button" className="ListHeader__sort" onClick={() => sortBy(by, sorting)}>
            {t(`listing.${by}`)}
            {sorting.by === by && <Icon name={sorting.asc ? 'arrow-up' : 'arrow-down'} />}
          </button>
        </div>
      ))}
    </div>
  )
}

/** Narrow windows have one column: its header opens what to order by. */
function SortMenu({ sorting }: { sorting: Sorting }) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const items = COLUMNS.map((by) => ({
    id: by,
    label: t(`listing.${by}`),
    icon:
      sorting.by !== by ? undefined : sorting.asc ? ('arrow-up' as const) : ('arrow-down' as const),
    onSelect: () => sortBy(by, sorting),
  }))
  return (
    <div className="ListHeader" role="row" aria-rowindex={1}>
      <div className="ListHeader__column" role="columnheader">
        <button
          type="button"
          className="ListHeader__sort"
          data-active
          aria-haspopup="menu"
          aria-label={t('listing.sortedBy', { column: t(`listing.${sorting.by}`) })}
          onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
        >
          {t(`listing.${sorting.by}`)}
          <Icon name={sorting.asc ? 'arrow-up' : 'arrow-down'} />
        </button>
      </div>
      {anchor && (
        <Menu
          label={t('listing.sort')}
          items={items}
          anchor={anchor}
          onClose={() => setAnchor(null)}
        />
      )}
    </div>
  )
}

/** Names begin with A, sizes with the largest, dates with the latest. */
function sortBy(by: SortKey, sorting: Sorting): void {
  void sortListing({ by, asc: sorting.by === by ? !sorting.asc : by === 'name' })
}
