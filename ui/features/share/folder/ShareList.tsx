import { type ReactNode, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Segmented } from '#ui/components/controls/Segmented.tsx'
import { Card } from '#ui/components/feedback/Card.tsx'
import { GalleryBar } from '#ui/components/fields/GalleryBar.tsx'
import { EntryTable } from '#ui/components/file/EntryTable.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { type Slide, Slideshow } from '#ui/components/player/Slideshow.tsx'
import { PrintedList } from '#ui/components/print/PrintedList.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { publicFileUrl, publicPreviewUrl, type ShareKey } from '#ui/lib/urls/share-urls.ts'
import { readSharedAlbumFacts } from '#ui/state/folder/album.ts'
import { selection, selectRange, toggle } from '#ui/state/folder/selection.ts'
import { settings } from '#ui/state/session/settings.ts'
import { layout } from '#ui/state/view/layout.ts'
import type { Entry, EntryType, Listing, Sorting } from '#wire/api/entry.ts'
import type { AlbumFacts } from '#wire/api/media.ts'
import { ShareBar } from './ShareBar.tsx'
import { ShareGallery } from './ShareGallery.tsx'
import { ShareRow } from './ShareRow.tsx'
import './ShareList.css'

interface ShareListProps {
  share: ShareKey
  folder: Listing
  crumbs: ReactNode
  /** The name of the folder, for print. */
  title: string
}

const NO_FACTS: ReadonlyMap<string, AlbumFacts> = new Map()

/** The content of a shared folder, a hundred entries at a time (docs/specification.md 9), as an album or a list. */
export function ShareList({ share, folder, crumbs, title }: ShareListProps) {
  const { t } = useTranslation()
  const { galleryHeight, galleryDays } = useSnapshot(layout)
  const { paths, isSelectionMode } = useSnapshot(selection)
  // The snapshot of a `ref` is the set itself.
  const selected = isSelectionMode ? (paths as ReadonlySet<string>) : undefined
  const [sorting, setSorting] = useState<Sorting>(folder.sorting)
  const [shownMax, setShownMax] = useState<number>(ON_DEMAND_LIMITS.sharePageItems)
  const media = folder.items.filter(({ type }) => isInAlbum(type))
  const [isGallery, setGallery] = useState(isAlbum(folder, media.length))
  const [slide, setSlide] = useState<number>()
  const facts = useAsync(isGallery ? `${folder.path} ${folder.modified}` : undefined, (signal) =>
    readSharedAlbumFacts(share, folder.path, signal),
  )
  const items = sortEntries(folder.items, sorting)
  const pictures = isGallery ? items.filter(({ type }) => isInAlbum(type)) : []
  const rest = isGallery ? items.filter(({ type }) => !isInAlbum(type)) : items
  const rows = rest.slice(0, Math.max(0, shownMax - pictures.length))
  const hiddenCount = items.length - shownMax

  /** With Shift, everything from the last chosen entry on is selected, in the order on the page. */
  function choose(entry: Entry, hasShift: boolean): void {
    if (hasShift) selectRange(entry, [...pictures, ...rest], true)
    else toggle(entry)
  }

  return (
    <Card className="ShareList">
      <div className="ShareList__top">
        <ShareBar share={share} folder={folder} crumbs={crumbs} selected={selected} />
      </div>
      {media.length > 0 && (
        <div className="ShareList__views">
          <Segmented
            label={t('places.views')}
            options={[
              view('list', 'list', t('actions.viewAsList')),
              view('gallery', 'gallery-thumbnails', t('gallery.title')),
            ]}
          />
          {isGallery && (
            <GalleryBar
              height={galleryHeight}
              isByDay={galleryDays}
              onHeight={(height) => {
                layout.galleryHeight = height
              }}
              onByDay={(isByDay) => {
                layout.galleryDays = isByDay
              }}
              onPlay={() => setSlide(0)}
            />
          )}
        </div>
      )}
      {items.length === 0 && <p className="ShareList__empty">{t('share.empty')}</p>}
      {pictures.length > 0 && facts.status !== 'loading' && (
        <ShareGallery
          share={share}
          pictures={pictures.slice(0, shownMax)}
          facts={facts.status === 'loaded' ? facts.value : NO_FACTS}
          asc={sorting.asc}
          selected={selected}
          onChoose={choose}
        />
      )}
      {rows.length > 0 && (
        <EntryTable label={t('share.list')} sorting={sorting} onSort={setSorting}>
          {rows.map((entry) => (
            <ShareRow
              key={entry.path}
              share={share}
              entry={entry}
              isSelected={selected?.has(entry.path)}
              onChoose={choose}
            />
          ))}
        </EntryTable>
      )}
      {hiddenCount > 0 && (
        <div className="ShareList__more">
          <Button
            tone="quiet"
            wide
            onClick={() => setShownMax(shownMax + ON_DEMAND_LIMITS.sharePageItems)}
          >
            {t('share.rest', { value: formatNumber(hiddenCount) })}
          </Button>
        </div>
      )}
      <PrintedList title={title} items={items} />
      {slide !== undefined && (
        <Slideshow
          slides={pictures.map((entry) => slideOf(share, entry))}
          start={slide}
          onClose={() => setSlide(undefined)}
        />
      )}
    </Card>
  )

  function view(id: 'list' | 'gallery', icon: 'list' | 'gallery-thumbnails', label: string) {
    const pressed = (id === 'gallery') === isGallery
    return { id, icon, label, pressed, onSelect: () => setGallery(id === 'gallery') }
  }
}

/** Whether files of this type belong into an album: pictures, and films even if they have no thumbnails. */
function isInAlbum(type: EntryType): boolean {
  return settings.EnableThumbs && (type === 'image' || type === 'video')
}

/** Whether at least half of the files of the folder belong into an album. */
function isAlbum({ numFiles }: Listing, mediaCount: number): boolean {
  return mediaCount > 0 && mediaCount * 2 >= numFiles
}

function slideOf(share: ShareKey, entry: Entry): Slide {
  const size = settings.ResizePreview ? 'big' : 'thumb'
  return {
    key: entry.path,
    name: entry.name,
    picture: publicPreviewUrl(share, size, entry.path, entry),
    film: entry.type === 'video' ? publicFileUrl(share, entry.path, true) : undefined,
  }
}
