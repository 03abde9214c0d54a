import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { listing } from '#ui/state/folder/listing.ts'
import type { Album } from '../layout/arrange.ts'

/**
 * `waiting`: the metadata is loading, and the gallery is not rendered yet. `none`: there is no metadata, or it has
 * not arrived within `galleryWaitMs`.
 */
export type AlbumState = Album | 'none' | 'waiting'

/**
 * The metadata of the pictures and films of the shown folder. Its code is loaded with the first gallery.
 *
 * @param isNeeded whether the folder is shown as a gallery, or has tiles of films
 * @param asc whether the order is ascending
 */
export function useAlbum(isNeeded: boolean, asc: boolean): AlbumState {
  const { entry, path } = useSnapshot(listing)
  const [known, setKnown] = useState<{ key: unknown; album: Album | 'none' }>()
  const key = isNeeded ? `${path} ${asc}` : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed folder is read again
  useEffect(() => {
    if (key === undefined) return
    const controller = new AbortController()
    const update = (album: Album | 'none') => !controller.signal.aborted && setKnown({ key, album })
    const timeout = setTimeout(() => {
      setKnown((before) => (before?.key === key ? before : { key, album: 'none' }))
    }, UI_LIMITS.galleryWaitMs)
    import('./album.ts')
      .then(({ readAlbum }) => readAlbum(path, asc, controller.signal))
      .then(update, () => update('none'))
      .finally(() => clearTimeout(timeout))
    return () => {
      controller.abort()
      clearTimeout(timeout)
    }
  }, [key, entry])

  if (key === undefined) return 'none'
  return known?.key === key ? known.album : 'waiting'
}
