/** Which names are taken in a folder, as the folder compares them: for uploads, moves, copies, renames and new entries. */
import type { Entry, Listing } from '#wire/api/entry.ts'
import { nameKey } from '#wire/fold.ts'

export interface FolderNames {
  /** The entry that has this name in the folder already, possibly in another spelling. */
  find(name: string): Entry | undefined
  /** Equal for names that are the same name in the folder. */
  keyOf(name: string): string
  /** The names of a new folder in this one: the disk compares them in the same way. */
  ofNewFolder(): FolderNames
}

export function namesIn({ items, foldsCase }: Pick<Listing, 'items' | 'foldsCase'>): FolderNames {
  const keyOf = (name: string) => nameKey(name, foldsCase)
  let byKey: Map<string, Entry> | undefined
  return {
    keyOf,
    find(name) {
      byKey ??= new Map(items.map((entry) => [keyOf(entry.name), entry]))
      return byKey.get(keyOf(name))
    },
    ofNewFolder: () => namesIn({ items: [], ...(foldsCase && { foldsCase }) }),
  }
}

/** A folder without entries, or one that cannot be listed: the server reports collisions. */
export const NO_NAMES: FolderNames = namesIn({ items: [] })
