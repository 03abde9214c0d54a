import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { GalleryBar } from '#ui/components/fields/GalleryBar.tsx'
import { type Slide, Slideshow } from '#ui/components/player/Slideshow.tsx'
import { rawUrl } from '#ui/lib/urls/content-urls.ts'
import { indexOf, selection, selectOnly } from '#ui/state/folder/selection.ts'
import { layout } from '#ui/state/view/layout.ts'
import type { Entry } from '#wire/api/entry.ts'
import { slideSource } from '../cells/pictures.ts'

/** The tools of a gallery: the size of pictures, grouping by day, and the slideshow. */
export function GalleryTools({ pictures }: { pictures: readonly Entry[] }) {
  const { galleryHeight, galleryDays } = useSnapshot(layout)
  const [start, setStart] = useState<number>()
  return (
    <>
      <GalleryBar
        height={galleryHeight}
        isByDay={galleryDays}
        onHeight={(height) => {
          layout.galleryHeight = height
        }}
        onByDay={(isByDay) => {
          layout.galleryDays = isByDay
        }}
        onPlay={() => setStart(Math.max(0, indexOf(pictures, selection.cursor)))}
      />
      {start !== undefined && (
        <Slideshow
          slides={pictures.map(slideOf)}
          start={start}
          onClose={(index) => {
            const shown = pictures[index]
            if (shown) selectOnly(shown)
            setStart(undefined)
          }}
        />
      )}
    </>
  )
}

function slideOf(entry: Entry): Slide {
  return {
    key: entry.path,
    name: entry.name,
    picture: slideSource(entry),
    film: entry.type === 'video' ? rawUrl(entry.path, true) : undefined,
  }
}
