import { useState } from 'react'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { pagePictureUrl } from '#ui/lib/page/page-picture.ts'
import { publicPreviewUrl, type ShareKey } from '#ui/lib/urls/share-urls.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { SharedEntry } from '#ui/state/sharing/public-share.ts'
import { isListing } from '#wire/api/entry.ts'
import './ShareCover.css'

/** The number of pictures: a large one and two small ones. */
const PICTURES = 3

/** A preview of a shared folder from its pictures; else its icon. The next picture replaces an unreadable one. */
export function ShareCover({ share, entry }: { share: ShareKey; entry: SharedEntry }) {
  const [brokenPaths, setBroken] = useState<readonly string[]>([])
  // The picture that the server put into the page replaces the first one until that is loaded.
  const [early] = useState(pagePictureUrl)
  const images = isListing(entry) ? entry.items.filter(({ type }) => type === 'image') : []
  const pictures = images.filter(({ path }) => !brokenPaths.includes(path)).slice(0, PICTURES)
  const hasTriedEnough = brokenPaths.length >= ON_DEMAND_LIMITS.brokenCoversMax
  if (pictures.length < PICTURES || hasTriedEnough || !settings.EnableThumbs) {
    return <FileIcon entry={entry} />
  }
  const showsEarly = early !== undefined && brokenPaths.length === 0
  return (
    <div className="ShareCover">
      {pictures.map((picture, index) => {
        const size = index === 0 && settings.ResizePreview ? 'row' : 'thumb'
        return (
          <span key={picture.path} className="ShareCover__part">
            <Thumb
              src={publicPreviewUrl(share, size, picture.path, picture)}
              fallback={
                showsEarly && index === 0 ? <img className="Thumb" src={early} alt="" /> : null
              }
              onBroken={() => setBroken((paths) => [...paths, picture.path])}
            />
          </span>
        )
      })}
    </div>
  )
}
