import { useState } from 'react'
import { Link } from 'wouter'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { pagePictureUrl } from '#ui/lib/page/page-picture.ts'
import { publicPreviewUrl, type ShareKey, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { hasThumbnail, settings } from '#ui/state/session/settings.ts'
import type { SharedEntry } from '#ui/state/sharing/public-share.ts'
import { type Entry, isListing } from '#wire/api/entry.ts'
import './ShareCover.css'

/** The number of pictures: a large one and two small ones. */
const PICTURES = 3

interface ShareCoverProps {
  share: ShareKey
  entry: SharedEntry
  /** The only selected entry: its picture is shown instead. */
  selected: Entry | undefined
}

/**
 * A preview of a shared folder from its pictures, each a link to its file; else its icon. The next picture replaces an
 * unreadable one.
 */
export function ShareCover({ share, entry, selected }: ShareCoverProps) {
  const [brokenPaths, setBroken] = useState<readonly string[]>([])
  // The picture that the server put into the page replaces the first one until that is loaded.
  const [early] = useState(pagePictureUrl)
  const images = isListing(entry) ? entry.items.filter(({ type }) => type === 'image') : []
  const pictures = images.filter(({ path }) => !brokenPaths.includes(path)).slice(0, PICTURES)
  const hasTriedEnough = brokenPaths.length >= ON_DEMAND_LIMITS.brokenCoversMax
  if (selected && hasThumbnail(selected)) {
    return (
      <Link
        className="ShareCover"
        data-single
        href={sharePageUrl(share.hash, selected.path)}
        title={selected.name}
      >
        <img src={sourceOf(selected, true)} alt={selected.name} />
      </Link>
    )
  }
  if (pictures.length < PICTURES || hasTriedEnough || !settings.EnableThumbs) {
    return <FileIcon entry={entry} />
  }
  const showsEarly = early !== undefined && brokenPaths.length === 0
  return (
    <div className="ShareCover">
      {pictures.map((picture, index) => (
        <Link
          key={picture.path}
          className="ShareCover__part"
          href={sharePageUrl(share.hash, picture.path)}
          aria-label={picture.name}
          title={picture.name}
        >
          <Thumb
            src={sourceOf(picture, index === 0)}
            fallback={
              showsEarly && index === 0 ? <img className="Thumb" src={early} alt="" /> : null
            }
            onBroken={() => setBroken((paths) => [...paths, picture.path])}
          />
        </Link>
      ))}
    </div>
  )

  function sourceOf(picture: Entry, isLarge: boolean): string {
    const size = isLarge && settings.ResizePreview ? 'row' : 'thumb'
    return publicPreviewUrl(share, size, picture.path, picture)
  }
}
