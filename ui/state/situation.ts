/** Everything that decides what a person can do right now, in one value. */
import { useSnapshot } from 'valtio'
import { type Entry, type FileEntry, isListing, type Listing } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Action, permits } from '#wire/permissions.ts'
import { clipboard } from './clipboard.ts'
import { itemsOf, listing } from './listing.ts'
import { selectedOf, selection } from './selection.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'

export interface Situation {
  /** What the page shows: a folder, one file, or neither (loading, failed, signed out). */
  place: 'folder' | 'file' | 'elsewhere'
  path: TreePath
  /** The folder's items. */
  items: readonly Entry[]
  /** The selected items; of a file shown, the file. */
  targets: readonly Entry[]
  multiple: boolean
  /** How many things wait to be pasted. */
  clipboardCount: number
  /** Whether the person may act so at all, on a storage that can be changed. */
  may(action: Action): boolean
}

/** The situation of this moment, for whoever acts. */
export function situation(): Situation {
  const { entry, path, status } = listing
  const shown = status === 'failed' ? null : entry
  const items = itemsOf(shown)
  return {
    place: placeOf(shown),
    path,
    items,
    targets: shown && !isListing(shown) ? [shown] : selectedOf(items, selection.paths),
    multiple: selection.multiple,
    clipboardCount: clipboard.entries.length,
    may,
  }
}

/** The same for a component, which then follows every change. */
export function useSituation(): Situation {
  const { user } = useSnapshot(session)
  const shown = useSnapshot(listing)
  const chosen = useSnapshot(selection)
  const { entries } = useSnapshot(clipboard)
  // Reading marks what this component depends on.
  void [user?.perm, shown.entry, shown.path, shown.status, chosen.paths, chosen.multiple, entries]
  return situation()
}

const CHANGING: readonly Action[] = ['create', 'overwrite', 'modify', 'delete', 'copy', 'rename']

function may(action: Action): boolean {
  if (!session.user) return false
  if (settings.ReadOnly && CHANGING.includes(action)) return false
  return permits(session.user.perm, action)
}

/** A folder on its way counts as one, so that its actions do not vanish for a moment. */
function placeOf(entry: Listing | FileEntry | null): Situation['place'] {
  if (!session.user || listing.status === 'idle' || listing.status === 'failed') return 'elsewhere'
  if (!entry) return listing.asFolder ? 'folder' : 'elsewhere'
  return isListing(entry) ? 'folder' : 'file'
}
