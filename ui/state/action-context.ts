/** Everything that decides what a person can do right now, in one value. */
import { useSnapshot } from 'valtio'
import { wantsText } from '#ui/lib/location.ts'
import { neighboursOf, type Viewer, viewerOf } from '#ui/lib/viewers.ts'
import { type Entry, type FileEntry, isListing, type Listing } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Action, permits } from '#wire/permissions.ts'
import { clipboard, pastesInto } from './clipboard.ts'
import { itemsOf, listing } from './listing.ts'
import { readerPreferences } from './reader-preferences.ts'
import { selectedOf, selection } from './selection.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { viewerState } from './viewer.ts'

export interface ActionContext {
  /** What the page shows: a folder, one file, or neither (loading, failed, signed out). */
  page: 'folder' | 'file' | 'elsewhere'
  path: TreePath
  /** The folder's items. */
  items: readonly Entry[]
  /** Whether it has any. Of a folder on its way it is assumed, so that nothing moves when it is there. */
  hasItems: boolean
  /** The selected items; of a file shown, the file. */
  targets: readonly Entry[]
  multiple: boolean
  /** What shows the file; undefined where none is shown. */
  viewer?: Viewer | undefined
  /** The files that are looked at before and after it. */
  previous?: Entry | undefined
  next?: Entry | undefined
  /** What pasting here would do with the things that wait for it; undefined when there are none. */
  pastes?: 'move' | 'copy' | undefined
  /** Whether the person may act so at all, on a storage that can be changed. */
  may(action: Action): boolean
}

/** The situation of this moment, for whoever acts. */
export function actionContext(): ActionContext {
  const { entry, path, status } = listing
  const shown = status === 'failed' ? null : entry
  const items = itemsOf(shown)
  const file = shown && !isListing(shown) ? shown : null
  return {
    page: pageOf(shown),
    path,
    items,
    hasItems: shown ? items.length > 0 : status === 'loading',
    ...(file && viewOf(file)),
    ...((file || isTurning()) && neighboursOf(viewerState.siblings, path)),
    targets: shown && !isListing(shown) ? [shown] : selectedOf(items, selection.paths),
    multiple: selection.multiple,
    pastes: pastesInto(path),
    may,
  }
}

/** The same for a component, which then follows every change. */
export function useActionContext(): ActionContext {
  const { user } = useSnapshot(session)
  const shown = useSnapshot(listing)
  const chosen = useSnapshot(selection)
  const { entries, verb, folder } = useSnapshot(clipboard)
  const { siblings, hasPreview, inFull } = useSnapshot(viewerState)
  const { wrap, rendered } = useSnapshot(readerPreferences)
  const { open } = useSnapshot(shell)
  // Reading marks what this component depends on.
  void [user?.perm, shown.entry, shown.path, shown.status, chosen.paths, chosen.multiple]
  void [entries, verb, folder, siblings, hasPreview, inFull, wrap, rendered, open]
  return actionContext()
}

/** Whether the file that one turned to is on its way: one may turn on before it is there. */
function isTurning(): boolean {
  return listing.status === 'loading' && listing.path === viewerState.turnedTo
}

function viewOf(file: FileEntry): { viewer: Viewer } {
  return { viewer: viewerOf(file, { mayRead: may('download'), asText: wantsText() }) }
}

const CHANGING: readonly Action[] = ['create', 'overwrite', 'modify', 'delete', 'copy', 'rename']

function may(action: Action): boolean {
  if (!session.user) return false
  if (settings.ReadOnly && CHANGING.includes(action)) return false
  return permits(session.user.perm, action)
}

/** A folder on its way counts as one, so that its actions do not vanish for a moment. */
function pageOf(entry: Listing | FileEntry | null): ActionContext['page'] {
  if (!session.user || listing.status === 'idle' || listing.status === 'failed') return 'elsewhere'
  if (!entry) return listing.asFolder ? 'folder' : 'elsewhere'
  return isListing(entry) ? 'folder' : 'file'
}
