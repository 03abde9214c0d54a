/** Metadata of the pictures and films of a folder, for the gallery. */
import { formatGroupDate } from '#ui/i18n/media-format.ts'
import { groupByDate } from '#ui/lib/entries/album-days.ts'
import { readAlbumFacts } from '#ui/state/folder/album.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Album, PictureGroup } from '../layout/arrange.ts'

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
      const dated = groupByDate(pictures, factsOf, asc)
      if (!dated) return undefined
      let end = 0
      const groups = dated.map((group): PictureGroup => {
        const start = end
        end += group.items.length
        return { title: formatGroupDate(group), start, end }
      })
      return { items: dated.flatMap(({ items }) => items), groups }
    },
  }
}
