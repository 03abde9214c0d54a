/** The shown file, its siblings, and the controls that its viewer offers to actions. */

import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { list, requestOpening } from '#ui/api/files/resources.ts'
import { assign } from '#ui/lib/assign.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import type { Neighbours, Viewer } from '#ui/lib/entries/viewers.ts'
import type { FileUrls } from '#ui/lib/urls/file-urls.ts'
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import { type Entry, type FileEntry, isListing } from '#wire/api/entry.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import type { PolicyAction } from '#wire/permissions.ts'
import { listing } from '../folder/listing.ts'
import { onUserChange, session } from '../session/session.ts'
import { viewOf } from '../view/folder-views.ts'

/** The interface of a viewer that can zoom. */
export interface ZoomControl {
  /** 1 is the fitted size; a larger value magnifies. */
  zoomBy(factor: number): void
  fit(): void
  originalSize(): void
  rotate(): void
  /** Begins to choose a part of the picture; undefined if it cannot be cropped. */
  crop?: (() => void) | undefined
}

/** What a visitor of a share sees: the actions know it instead of the user's own files. */
export interface Visit {
  share: ShareKey
  urls: FileUrls
  /** `elsewhere`: a folder, a message, or the question for the password. */
  page: 'file' | 'elsewhere'
  path: TreePath
  /** The file; none while it loads. */
  targets: readonly FileEntry[]
  viewer: Viewer | undefined
  previous: Entry | undefined
  next: Entry | undefined
  rank?: Neighbours['rank']
  isSignedIn: false
  canSignOut: false
  canUndo: false
  canRedo: false
  may(action: PolicyAction): boolean
}

interface ViewerState {
  /** Null on the pages of users. A `ref`. */
  visit: Visit | null
  /** The folder that `siblings` belong to. */
  folder: TreePath | null
  /** Files and folders of the same folder, in the user's sort order. A `ref`. */
  siblings: readonly Entry[]
  /** Whether the disk ignores the case of names in that folder. */
  foldsCase: boolean
  /** The file that was last opened from one of its siblings, by the previous and next buttons or keys. */
  steppedTo: TreePath | null
  /** Set after a time without use of pointer and keyboard: the controls of the viewer are hidden. */
  isIdle: boolean
  /** Whether Markdown is shown as source, whatever the user prefers: an empty text, or one with unsaved changes. */
  showsSource: boolean
  /** Pictures: whether the original is shown instead of its preview. */
  showsOriginal: boolean
  /** Pictures: whether both the original and a preview can be shown. */
  hasPreview: boolean
  /** Information that only the viewer has, such as a picture's size in pixels. */
  info: string
  zoomControl: ZoomControl | null
  /** Whether a media player is playing. */
  isPlaying: boolean
  /** Whether the next player starts automatically, because the previous one was playing. */
  autoplays: boolean
}

const NO_ENTRIES: readonly Entry[] = ref([])

export const viewerState = proxy<ViewerState>({
  visit: null,
  folder: null,
  siblings: NO_ENTRIES,
  foldsCase: false,
  steppedTo: null,
  isIdle: false,
  showsSource: false,
  showsOriginal: false,
  hasPreview: false,
  info: '',
  zoomControl: null,
  isPlaying: false,
  autoplays: false,
})

subscribeKey(listing, 'entry', (entry) => {
  if (entry && isListing(entry)) setSiblings(listing.path, entry.items, entry.foldsCase)
  else if (entry) void loadSiblings(parentPath(listing.path))
})

/** The next user must not step through the files of this one. */
onUserChange(() => assign(viewerState, { folder: null, siblings: NO_ENTRIES, steppedTo: null }))

/**
 * Registers the controls of a viewer.
 *
 * @returns a function that removes them
 */
export function registerControls(
  changes: Partial<Pick<ViewerState, 'info' | 'hasPreview' | 'zoomControl'>>,
): () => void {
  const { zoomControl } = changes
  assign(viewerState, changes, zoomControl ? { zoomControl: ref(zoomControl) } : {})
  return () => assign(viewerState, { info: '', hasPreview: false, zoomControl: null })
}

/** Records that the user opened a file whose content may not be requested for it. A failure changes nothing for the user. */
export function recordOpening(path: TreePath): void {
  requestOpening(path).catch(() => undefined)
}

/** Removes a file that no longer exists, so that the previous and next buttons skip it. */
export function removeSibling(path: string): void {
  viewerState.siblings = ref(viewerState.siblings.filter((entry) => entry.path !== path))
}

/** Loads the siblings again with the next file that is shown: one of them came back. Until then they stay. */
export function reloadSiblings(): void {
  areStale = true
}

let areStale = false

function setSiblings(folder: TreePath, siblings: readonly Entry[], foldsCase = false): void {
  assign(viewerState, { folder, siblings: ref(siblings), foldsCase })
}

/** Loads the entries of the folder. If it cannot be listed, there are no siblings. */
async function loadSiblings(folder: TreePath): Promise<void> {
  const isKnown = viewerState.folder === folder
  if (isKnown && !areStale) return
  areStale = false
  if (!isKnown) setSiblings(folder, NO_ENTRIES)
  const loaded = await list(folder).catch(() => undefined)
  if (viewerState.folder !== folder) return
  const sorting = session.user && viewOf(folder).sorting
  const { items = NO_ENTRIES, foldsCase } = loaded ?? {}
  setSiblings(folder, sorting ? sortEntries(items, sorting) : items, foldsCase)
}
