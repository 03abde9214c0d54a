/** The file on the page among its siblings, and what its viewer offers to actions. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { list } from '#ui/api/resources.ts'
import { sortEntries } from '#ui/lib/sort.ts'
import { type Entry, isListing } from '#wire/entry.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import { listing } from './listing.ts'
import { session } from './session.ts'

/** What actions ask of a viewer that zooms. */
export interface Zoomer {
  /** 1 is the fitted size; larger is nearer. */
  zoomBy(factor: number): void
  fit(): void
  originalSize(): void
  rotate(): void
}

interface ViewerState {
  /** The folder that `siblings` are of. */
  folder: TreePath | null
  /** Files and folders beside the one on the page, in the person's order. A `ref`. */
  siblings: readonly Entry[]
  /** Where one turned from another of them. */
  turnedTo: TreePath | null
  /** Nothing moved for a while: what lies around a picture leaves. */
  idle: boolean
  /** Pictures: the original instead of its preview. */
  inFull: boolean
  /** Whether there is a better original. */
  hasPreview: boolean
  /** A fact only the viewer knows, such as a picture's size in pixels. */
  info: string
  zoomer: Zoomer | null
  /** A player is playing. */
  playing: boolean
  /** The next player begins by itself, because the one before was playing. */
  playsOn: boolean
}

const NO_ENTRIES: readonly Entry[] = ref([])

export const viewerState = proxy<ViewerState>({
  folder: null,
  siblings: NO_ENTRIES,
  turnedTo: null,
  idle: false,
  inFull: false,
  hasPreview: false,
  info: '',
  zoomer: null,
  playing: false,
  playsOn: false,
})

subscribeKey(listing, 'entry', (entry) => {
  if (entry && isListing(entry)) remember(listing.path, entry.items)
  else if (entry) void loadSiblings(parentPath(listing.path))
})

/** A viewer says what it can do; the returned function takes that back. */
export function offer(
  changes: Partial<Pick<ViewerState, 'info' | 'hasPreview' | 'zoomer'>>,
): () => void {
  Object.assign(viewerState, changes, changes.zoomer && { zoomer: ref(changes.zoomer) })
  return () => Object.assign(viewerState, { info: '', hasPreview: false, zoomer: null })
}

/** The file is no more: nobody turns to it. */
export function forgetSibling(path: string): void {
  viewerState.siblings = ref(viewerState.siblings.filter((entry) => entry.path !== path))
}

function remember(folder: TreePath, siblings: readonly Entry[]): void {
  Object.assign(viewerState, { folder, siblings: ref(siblings) })
}

/** A folder that cannot be listed has no siblings to turn to. */
async function loadSiblings(folder: TreePath): Promise<void> {
  if (viewerState.folder === folder) return
  remember(folder, NO_ENTRIES)
  const { items } = await list(folder).catch(() => ({ items: [] as Entry[] }))
  if (viewerState.folder !== folder) return
  const sorting = session.user?.sorting
  remember(folder, sorting ? sortEntries(items, sorting) : items)
}
