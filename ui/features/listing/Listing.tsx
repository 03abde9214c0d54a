// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, a grid of boxes can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus and points at rows
import { type ReactNode, useId, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { menuItems, type Surface } from '#ui/actions/arrangement.ts'
import { Menu } from '#ui/components/Menu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/place.ts'
import { clipboard } from '#ui/state/clipboard.ts'
import { indexOf, selection } from '#ui/state/selection.ts'
import { session } from '#ui/state/session.ts'
import { situation } from '#ui/state/situation.ts'
import type { Entry, Listing as Folder } from '#wire/entry.ts'
import { ListHeader } from './ListHeader.tsx'
import { ListRow } from './ListRow.tsx'
import { Lonely } from './Lonely.tsx'
import { useGestures } from './use-gestures.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { useWindow } from './use-window.ts'
import './Listing.css'

/** A folder as a list. Only the rows near the window exist, so 100 000 entries scroll smoothly. */
export function Listing({ folder }: { folder: Folder }) {
  const { items } = folder
  const { t } = useTranslation()
  const grid = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const band = useRef<HTMLDivElement>(null)
  const idPrefix = useId()
  const [menu, setMenu] = useState<{ surface: Surface; anchor: Anchor } | null>(null)
  const marks = useMarks()
  const view = useWindow(grid, body, items.length)
  useGridFocus(grid, items, view)
  const gestures = useGestures({ items, view, grid, body, band, openMenu: setMenu })

  if (items.length === 0) return <Lonely openMenu={setMenu}>{menu && contextMenu()}</Lonely>

  const cursorAt = indexOf(items, marks.cursor)
  const rows = items.slice(view.first, view.last)
  return (
    <div
      ref={grid}
      className="Listing"
      role="grid"
      tabIndex={0}
      aria-label={t('listing.label')}
      aria-multiselectable="true"
      aria-rowcount={items.length + 1}
      aria-activedescendant={cursorAt >= 0 ? `${idPrefix}${cursorAt}` : undefined}
      {...gestures}
    >
      <ListHeader sorting={folder.sorting} />
      <div
        ref={body}
        className="Listing__rows"
        role="rowgroup"
        style={{ blockSize: `calc(${items.length} * var(--row-height))` }}
      >
        <div
          className="Listing__window"
          role="presentation"
          style={{ translate: `0 calc(${view.first} * var(--row-height))` }}
        >
          {rows.map((entry, at) => (
            <ListRow
              key={entry.path}
              id={`${idPrefix}${view.first + at}`}
              entry={entry}
              index={view.first + at}
              isSelected={marks.paths.has(entry.path)}
              isCursor={entry.path === marks.cursor}
              isCut={marks.cut.has(entry.path)}
              exactDates={marks.exactDates}
              pictures={marks.pictures}
            />
          ))}
        </div>
        <div ref={band} className="Listing__band" hidden />
      </div>
      {menu && contextMenu()}
    </div>
  )

  function contextMenu(): ReactNode {
    if (!menu) return null
    return (
      <Menu
        label={t('common.more')}
        items={menuItems(menu.surface, situation())}
        anchor={menu.anchor}
        onClose={() => setMenu(null)}
      />
    )
  }
}

const NO_PATHS: ReadonlySet<string> = new Set()

/** What the stores say about rows. */
function useMarks() {
  const { paths, cursor } = useSnapshot(selection)
  const { verb, entries } = useSnapshot(clipboard)
  const { user } = useSnapshot(session)
  const cut = verb === 'cut' ? new Set(entries.map((entry: Entry) => entry.path)) : NO_PATHS
  return {
    paths,
    cursor,
    cut,
    exactDates: user?.dateFormat ?? false,
    pictures: user?.perm.download ?? false,
  }
}
