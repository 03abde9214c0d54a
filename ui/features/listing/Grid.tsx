// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, a grid of boxes can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus and points at cells
import { type CSSProperties, Fragment, useEffect, useId, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { Surface } from '#ui/actions/arrangement.ts'
import { useMedia } from '#ui/components/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/media.ts'
import type { Anchor } from '#ui/lib/menu-position.ts'
import { layout as panels } from '#ui/state/layout.ts'
import { indexOf } from '#ui/state/selection.ts'
import type { Entry, Sorting } from '#wire/entry.ts'
import { arrange } from './arrange.ts'
import { GridRow } from './GridRow.tsx'
import { ListHeader } from './ListHeader.tsx'
import {
  galleryLayout,
  type Layout,
  listLayout,
  type Metrics,
  mosaicLayout,
  rowsBetween,
} from './layout.ts'
import { pictureSource } from './pictures.ts'
import { SectionTitle } from './SectionTitle.tsx'
import { TilesHeader } from './TilesHeader.tsx'
import { useGallery } from './use-gallery.ts'
import { useGestures } from './use-gestures.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { useItemDrag } from './use-item-drag.ts'
import { useMarks } from './use-marks.ts'
import { useWindow } from './use-window.ts'
import './Grid.css'

interface GridProps {
  items: readonly Entry[]
  sorting: Sorting
  openMenu(menu: { surface: Surface; anchor: Anchor }): void
}

/**
 * Items as a list, as tiles, or as a gallery of pictures. Only what is near the window exists, so
 * 100 000 of them scroll smoothly.
 */
export function Grid({ items: given, sorting, openMenu }: GridProps) {
  const { t } = useTranslation()
  const grid = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const band = useRef<HTMLDivElement>(null)
  const idPrefix = useId()
  const narrow = useMedia(NARROW)
  const { nameWidth } = useSnapshot(panels)
  const marks = useMarks()
  const { view, pictured } = marks

  const arranged = useMemo(() => arrange(given, view, pictured), [given, view, pictured])
  const { items } = arranged
  const sources = useMemo(
    () => items.slice(0, arranged.pictures).map(pictureSource),
    [items, arranged],
  )
  const { metrics, reach } = useWindow(grid)
  const gallery = useGallery(sources, metrics)
  const layout = useMemo(
    () => (metrics ? LAYOUTS[view](metrics, arranged, gallery.rows) : NO_LAYOUT),
    [metrics, view, arranged, gallery.rows],
  )
  const rows = rowsBetween(layout, reach.top, reach.bottom)
  useEffect(() => gallery.settle(rows))
  useGridFocus(grid, body, items, layout)
  const drag = useItemDrag(grid, items)
  const gestures = useGestures({ items, layout, grid, body, band, openMenu })

  const isList = view === 'list'
  const cursorAt = indexOf(items, marks.cursor)
  // What is far from the window is no element that could be pointed at.
  const cursorExists = rows.some(({ start, end }) => start <= cursorAt && cursorAt < end)
  return (
    <div
      ref={grid}
      className="Grid"
      role="grid"
      tabIndex={0}
      aria-label={t('listing.label')}
      aria-multiselectable="true"
      aria-rowcount={layout.rows + 1}
      aria-activedescendant={cursorExists ? `${idPrefix}${cursorAt}` : undefined}
      data-named={nameWidth !== null || undefined}
      style={nameWidth === null ? undefined : nameColumn(nameWidth)}
      {...gestures}
      {...drag}
    >
      {isList && !narrow ? <ListHeader sorting={sorting} /> : <TilesHeader sorting={sorting} />}
      <div ref={body} className="Grid__body" role="rowgroup" style={{ blockSize: layout.height }}>
        {layout.sections.map((section) => (
          <Fragment key={section.kind}>
            {section.kind !== 'row' && section.titleTop !== undefined && (
              <SectionTitle kind={section.kind} top={section.titleTop} />
            )}
            {rows
              .filter((row) => row.section === section)
              .map((row) => (
                <GridRow
                  key={row.number}
                  row={row}
                  items={items}
                  idPrefix={idPrefix}
                  marks={marks}
                  gallery={gallery}
                />
              ))}
          </Fragment>
        ))}
        <div ref={band} className="Grid__band" hidden />
      </div>
    </div>
  )
}

/** React's type of a style knows no custom property. */
function nameColumn(widthPx: number): CSSProperties {
  return { '--name-width': `${widthPx}px` } as CSSProperties
}

const NO_LAYOUT: Layout = { sections: [], rows: 0, width: 0, height: 0 }

type Arranged = ReturnType<typeof arrange>

const LAYOUTS = {
  list: (metrics: Metrics, { items }: Arranged) => listLayout(items.length, metrics),
  mosaic: (metrics: Metrics, { items, folders }: Arranged) =>
    mosaicLayout(folders, items.length, metrics),
  'mosaic gallery': (
    metrics: Metrics,
    { items, folders }: Arranged,
    rows: Parameters<typeof galleryLayout>[0],
  ) => galleryLayout(rows, folders, items.length, metrics),
}
