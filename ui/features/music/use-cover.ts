import { useSnapshot } from 'valtio'
import { useObjectUrl } from '#ui/components/hooks/use-object-url.ts'
import { thumbnailUrl } from '#ui/lib/urls/content-urls.ts'
import { unopenedPictureOf } from '#ui/lib/urls/pictures.ts'
import { music } from '#ui/state/media/music.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { SoundTags } from '#wire/api/sound-tag-types.ts'
import { parsePath } from '#wire/paths.ts'

/** The URL of the cover: of the file itself, or else of its folder. Undefined if there is none. */
export function useCover(own: SoundTags['cover']): string | undefined {
  const { cover } = useSnapshot(music)
  const ownUrl = useObjectUrl(own)
  if (ownUrl) return ownUrl
  // The snapshot of a `ref` is the entry itself.
  return cover ? coverUrl(cover as Entry) : undefined
}

function coverUrl(cover: Entry): string | undefined {
  const path = parsePath(cover.path)
  if (settings.EnableThumbs) return thumbnailUrl(cover, path)
  return unopenedPictureOf(cover, path, settings.ResizePreview)
}
