import { useState } from 'react'
import { SortButton } from '#ui/components/controls/SortButton.tsx'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { orderBy } from '#ui/lib/entries/sort.ts'
import { sortListing } from '#ui/state/folder/listing.ts'
import { SORT_KEYS, type Sorting } from '#wire/api/entry.ts'

/** The button and menu that choose the sort order, in views without column headers. */
export function SortMenu({ sorting }: { sorting: Sorting }) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const items = SORT_KEYS.map((by) => ({
    id: by,
    label: t(`listing.${by}`),
    icon:
      sorting.by !== by ? undefined : sorting.asc ? ('arrow-up' as const) : ('arrow-down' as const),
    onSelect: () => void sortListing(orderBy(by, sorting)),
  }))
  return (
    <>
      <SortButton
        by={sorting.by}
        sorting={sorting}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={t('listing.sortedBy', { column: t(`listing.${sorting.by}`) })}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      />
      {anchor && (
        <Menu
          label={t('listing.sort')}
          items={items}
          anchor={anchor}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  )
}
