import { useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { FilmBadge } from '#ui/components/pictures/FilmBadge.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { formatGroupDate } from '#ui/i18n/media-format.ts'
import { type DateGroup, groupByDate } from '#ui/lib/entries/album-days.ts'
import { DEFAULT_RATIO, justify } from '#ui/lib/entries/justify.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { publicPreviewUrl, type ShareKey, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { hasThumbnail, settings } from '#ui/state/session/settings.ts'
import { returnFocus } from '#ui/state/sharing/public-share.ts'
import { layout } from '#ui/state/view/layout.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { AlbumFacts } from '#wire/api/media.ts'
import { Choosable } from './Choosable.tsx'
import './ShareGallery.css'

/** The target height of a row, in pixels; it is smaller on phones. */
const ROW_PX = 192
const NARROW_ROW_PX = 144
const NARROW_PX = 560
const GAP_PX = 6

interface ShareGalleryProps {
  share: ShareKey
  pictures: readonly Entry[]
  facts: ReadonlyMap<string, AlbumFacts>
  /** Whether the first day comes first. */
  asc: boolean
  /** Undefined outside of the selection mode: a click then opens a picture. */
  selected: ReadonlySet<string> | undefined
  onChoose(entry: Entry, hasShift: boolean): void
}

/** Pictures and films in rows that fill the width, grouped by day. */
export function ShareGallery({
  share,
  pictures,
  facts,
  asc,
  selected,
  onChoose,
}: ShareGalleryProps) {
  const { galleryHeight, galleryDays } = useSnapshot(layout)
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)

  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const factsOf = ({ name }: Entry) => facts.get(name)
  const groups: (Partial<DateGroup> & Pick<DateGroup, 'items'>)[] = (galleryDays &&
    groupByDate(pictures, factsOf, asc)) || [{ items: [...pictures] }]
  const target = (width < NARROW_PX ? NARROW_ROW_PX : ROW_PX) * galleryHeight
  const rowsOf = (items: readonly Entry[]) =>
    width > 0
      ? justify(
          items.map((entry) => ratioOf(factsOf(entry))),
          0,
          { width, gap: GAP_PX, target },
        )
      : []

  return (
    <div ref={frame} className="ShareGallery">
      {groups.map(({ date, unit, items }) => (
        <section key={items[0]?.path ?? ''} className="ShareGallery__day">
          {date && unit && (
            <h2 className="ShareGallery__title">{formatGroupDate({ date, unit })}</h2>
          )}
          {rowsOf(items).map(({ start, end, height, widths }) => (
            <div
              key={items[start]?.path}
              className="ShareGallery__row"
              style={{ blockSize: height }}
            >
              {items.slice(start, end).map((entry, index) => (
                <Tile
                  key={entry.path}
                  share={share}
                  entry={entry}
                  width={widths[index] ?? 0}
                  isLarge={galleryHeight > 1.25}
                  seconds={factsOf(entry)?.seconds}
                  isSelected={selected?.has(entry.path)}
                  onChoose={onChoose}
                />
              ))}
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}

interface TileProps {
  share: ShareKey
  entry: Entry
  width: number
  /** Whether the row is so high that the tile needs a large picture. */
  isLarge: boolean
  seconds: number | undefined
  isSelected: boolean | undefined
  onChoose(entry: Entry, hasShift: boolean): void
}

function Tile({ share, entry, width, isLarge, seconds, isSelected, onChoose }: TileProps) {
  const size = !settings.ResizePreview ? 'thumb' : isLarge ? 'big' : 'row'
  const picture = (
    <>
      <Thumb
        src={hasThumbnail(entry) ? publicPreviewUrl(share, size, entry.path, entry) : undefined}
        fallback={<FileIcon entry={entry} />}
      />
      {entry.type === 'video' && <FilmBadge seconds={seconds ?? 0} />}
    </>
  )
  const style = { inlineSize: width }
  if (isSelected === undefined) {
    return (
      <Link
        ref={(link) => returnFocus(link, entry.path)}
        className="ShareGallery__tile"
        style={style}
        href={sharePageUrl(share.hash, entry.path)}
        aria-label={shownName(entry.name).text}
        title={shownName(entry.name).text}
      >
        {picture}
      </Link>
    )
  }
  return (
    <Choosable
      entry={entry}
      isSelected={isSelected}
      className="ShareGallery__tile"
      boxClassName="ShareGallery__box"
      width={width}
      onChoose={onChoose}
    >
      {picture}
    </Choosable>
  )
}

function ratioOf({ width, height }: AlbumFacts = {}): number {
  return width && height ? width / height : DEFAULT_RATIO
}
