/** Metadata of the pictures and films of a folder, for the gallery. */
import { formatDay } from '#ui/i18n/media-format.ts'
import { daysOf } from '#ui/lib/album-days.ts'
import { readAlbumFacts } from '#ui/state/album.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Album, PictureGroup } from './arrange.ts'

/**
 * @param asc whether the days are in ascending order
 * @throws Fault forbidden, notFound
 */
export async function readAlbum(path: TreePath, asc: boolean, signal: AbortSignal): Promise<Album> {
  const facts = await readAlbumFacts(path, signal)
  const factsOf = ({ name }: Entry) => facts.get(name)
  return {
    factsOf,
    byDay(pictures) {
      const days = daysOf(pictures, factsOf, asc)
      if (!days) return undefined
      let end = 0
      const groups = days.map((day): PictureGroup => {
        const start = end
        end += day.items.length
        return { title: formatDay(day), start, end }
      })
      return { items: days.flatMap(({ items }) => items), groups }
    },
  }
}
