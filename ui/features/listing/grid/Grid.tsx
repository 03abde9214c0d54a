// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualized
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and `aria-activedescendant`
import {
  type CSSProperties,
  Fragment,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react'
import { useSnapshot } from 'valtio'
import type { Surface } from '#ui/actions/surfaces.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { indexOf } from '#ui/state/folder/selection.ts'
import { hasThumbnail } from '#ui/state/session/settings.ts'
import { layout as viewSettings } from '#ui/state/view/layout.ts'
import type { Entry, Sorting } from '#wire/api/entry.ts'
import { pictureSource } from '../cells/pictures.ts'
import { useAlbum } from '../gallery/use-album.ts'
import { NO_PICTURE, useGallery } from '../gallery/use-gallery.ts'
import { ListHeader } from '../header/ListHeader.tsx'
import { TilesHeader } from '../header/TilesHeader.tsx'
import { useGestures } from '../input/use-gestures.ts'
import { useGridFocus } from '../input/use-grid-focus.ts'
import { useItemDrag } from '../input/use-item-drag.ts'
import { useScrollAnchor } from '../input/use-scroll-anchor.ts'
import { type Album, arrange } from '../layout/arrange.ts'
import { useColumns } from '../layout/columns.ts'
import {
  galleryLayout,
  type Layout,
  type LayoutMetrics,
  listLayout,
  mosaicLayout,
  rowsBetween,
} from '../layout/layout.ts'
import { useFolderView } from '../layout/use-folder-view.ts'
import { useWindow } from '../layout/use-window.ts'
import { GridRow } from './GridRow.tsx'
import { SectionTitle } from './SectionTitle.tsx'
import { useMarks } from './use-marks.ts'
import './Grid.css'

interface GridProps {
  items: readonly Entry[]
  sorting: Sorting
  openMenu(menu: { surface: Surface; anchor: Anchor }): void
  /** Content below the entries. */
  children?: ReactNode
}

/**
 * The entries as a list, as tiles, or as a gallery. It is virtualized: only entries near the viewport are in the DOM,
 * so 100 000 of them scroll smoothly.
 */
export function Grid({ items: listed, sorting, openMenu, children }: GridProps) {
  const { t } = useTranslation()
  const grid = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const band = useRef<HTMLDivElement>(null)
  const idPrefix = useId()
  const isNarrow = useMedia(NARROW)
  const { nameWidth, galleryHeight, galleryDays } = useSnapshot(viewSettings)
  const marks = useMarks()
  const { density } = useFolderView()
  const columns = useColumns()
  const { view, hasThumbnails } = marks

  const isGallery = view === 'mosaic gallery' && hasThumbnails
  /** Tiles of films show their lengths. */
  const hasFilms = useMemo(
    () => view === 'mosaic' && hasThumbnails && listed.some(({ type }) => type === 'video'),
    [listed, view, hasThumbnails],
  )
  const album = useAlbum(isGallery || hasFilms, sorting.asc)
  const loadedAlbum = typeof album === 'string' ? undefined : album
  /** The metadata by which pictures are grouped by day; undefined without grouping. */
  const groupingAlbum = isGallery && galleryDays && sorting.by !== 'size' ? loadedAlbum : undefined
  const arranged = useMemo(
    () => arrange(listed, view, hasThumbnails ? isPictureOrFilm : undefined, groupingAlbum),
    [listed, view, hasThumbnails, groupingAlbum],
  )
  const { items } = arranged
  const sources = useMemo(
    () =>
      items
        .slice(0, arranged.pictures)
        .map((entry) => (hasThumbnail(entry) ? pictureSource(entry, galleryHeight) : NO_PICTURE)),
    [items, arranged, galleryHeight],
  )
  const { metrics: baseMetrics, range } = useWindow(grid, density)
  const metrics = useMemo(
    () => baseMetrics && { ...baseMetrics, pictureRow: baseMetrics.pictureRow * galleryHeight },
    [baseMetrics, galleryHeight],
  )
  const hints = useMemo(
    () => ({
      breaks: new Set(arranged.groups.map(({ start }) => start)),
      ratioOf: (index: number) => ratioOf(loadedAlbum, arranged.items[index]),
    }),
    [arranged, loadedAlbum],
  )
  const gallery = useGallery(sources, metrics, hints)
  const layout = useMemo(
    () =>
      metrics && !(isGallery && album === 'waiting')
        ? LAYOUTS[view](metrics, arranged, gallery.rows)
        : NO_LAYOUT,
    [metrics, view, arranged, gallery.rows, isGallery, album],
  )
  const rows = rowsBetween(layout, range.top, range.bottom)
  useEffect(() => gallery.onRendered(rows))
  useScrollAnchor(grid, items, layout, `${view} ${sorting.by} ${sorting.asc}`)
  useGridFocus(grid, body, items, layout)
  const drag = useItemDrag(grid, items)
  const gestures = useGestures({ items, layout, grid, body, band, openMenu })

  const isList = view === 'list'
  const cursorIndex = indexOf(items, marks.cursor)
  // An entry far from the viewport has no element that `aria-activedescendant` could refer to.
  const isCursorRendered = rows.some(({ start, end }) => start <= cursorIndex && cursorIndex < end)
  return (
    <div
      ref={grid}
      className="Grid"
      role="grid"
      tabIndex={0}
      aria-label={t('listing.label')}
      aria-multiselectable="true"
      aria-rowcount={layout.rows + 1}
      aria-activedescendant={isCursorRendered ? `${idPrefix}${cursorIndex}` : undefined}
      data-columns={columns.join(' ')}
      data-density={density}
      style={nameWidth === null ? undefined : nameColumn(nameWidth)}
      {...gestures}
      {...drag}
    >
      {isList && !isNarrow ? (
        <ListHeader sorting={sorting} columns={columns} />
      ) : (
        <TilesHeader
          sorting={sorting}
          gallery={isGallery ? arranged.items.slice(0, arranged.pictures) : undefined}
        />
      )}
      <div ref={body} className="Grid__body" role="rowgroup" style={{ blockSize: layout.height }}>
        {layout.sections.map((section) => (
          <Fragment key={section.start}>
            {section.kind !== 'row' && section.titleTop !== undefined && (
              <SectionTitle kind={section.kind} title={section.title} top={section.titleTop} />
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
                  columns={columns}
                  gallery={gallery}
                  album={loadedAlbum}
                />
              ))}
          </Fragment>
        ))}
        <div ref={band} className="Grid__band" hidden />
      </div>
      {children}
    </div>
  )
}

/** React's type of styles does not include custom properties. */
function nameColumn(widthPx: number): CSSProperties {
  return { '--name-width': `${widthPx}px` } as CSSProperties
}

const NO_LAYOUT: Layout = { sections: [], rows: 0, width: 0, height: 0 }

type Arranged = ReturnType<typeof arrange>

function isPictureOrFilm({ type }: Entry): boolean {
  return type === 'image' || type === 'video'
}

function ratioOf(album: Album | undefined, entry: Entry | undefined): number | undefined {
  const { width, height } = (entry && album?.factsOf(entry)) ?? {}
  return width && height ? width / height : undefined
}

const LAYOUTS = {
  list: (metrics: LayoutMetrics, { items }: Arranged) => listLayout(items.length, metrics),
  mosaic: (metrics: LayoutMetrics, { items, folders }: Arranged) =>
    mosaicLayout(folders, items.length, metrics),
  'mosaic gallery': (
    metrics: LayoutMetrics,
    { items, folders, groups }: Arranged,
    rows: Parameters<typeof galleryLayout>[0],
  ) => galleryLayout(rows, folders, items.length, metrics, groups),
}
