import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { thumbnailUrl } from '#ui/lib/content-urls.ts'
import { picturesOf } from '#ui/lib/pictures.ts'
import type { SoundTags } from '#ui/lib/sound-tag-types.ts'
import { music } from '#ui/state/music.ts'
import { settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'
import { parsePath } from '#wire/paths.ts'

/** The URL of the cover: of the file itself, or else of its folder. Undefined if there is none. */
export function useCover(own: SoundTags['cover']): string | undefined {
  const { cover } = useSnapshot(music)
  const [ownUrl, setOwnUrl] = useState<string>()
  useEffect(() => {
    if (!own) return
    const url = URL.createObjectURL(new Blob([own.bytes], { type: own.type }))
    setOwnUrl(url)
    return () => {
      setOwnUrl(undefined)
      URL.revokeObjectURL(url)
    }
  }, [own])
  if (own && ownUrl) return ownUrl
  // The snapshot of a `ref` is the entry itself.
  return cover ? coverUrl(cover as Entry) : undefined
}

function coverUrl(cover: Entry): string | undefined {
  const path = parsePath(cover.path)
  if (settings.EnableThumbs) return thumbnailUrl(cover, path)
  const { preview, full } = picturesOf(cover, path, settings.ResizePreview)
  return preview ?? full
}
