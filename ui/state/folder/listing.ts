/** The folder or file that the page shows. */

import { proxy, ref } from 'valtio'
import { isNoConnection } from '#ui/api/client/request.ts'
import { type ReadFile, stat } from '#ui/api/files/resources.ts'
import { assign } from '#ui/lib/assign.ts'
import { filterByName } from '#ui/lib/entries/filter.ts'
import { sortEntries, sortsUnlikeServer } from '#ui/lib/entries/sort.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import { type Entry, isListing, type Listing, type Sorting } from '#wire/api/entry.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { isInside, nameOf, parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { onUserChange, session } from '../session/session.ts'
import { changeView, viewOf } from '../view/folder-views.ts'
import { keepSelection, moveCursor, resetSelection, select } from './selection.ts'
import { loadUsage, loadUsageOnce, loadUsageWith } from './usage.ts'

interface ListingState {
  path: TreePath
  /** Whether the URL has the form of a folder's URL: used while it is unknown whether the path is a folder. */
  asFolder: boolean
  /** A `ref`: a folder of 100 000 entries is no proxy, and is only replaced as a whole. */
  entry: Listing | ReadFile | null
  /** Whether `entry` has all entries of the folder, not only the first ones of a large folder that is loading. */
  isComplete: boolean
  status: 'idle' | 'loading' | 'ready' | 'failed'
  fault: Fault | null
  /** The text that the shown names contain; null while the filter is closed. */
  filter: string | null
  /** Counts the requests to open the filter: each change moves the focus to the filter. */
  filterRequests: number
}

export const listing = proxy<ListingState>({
  path: ROOT,
  asFolder: true,
  entry: null,
  isComplete: true,
  status: 'idle',
  fault: null,
  filter: null,
  filterRequests: 0,
})

/** The next user must not see the listing of this one. */
onUserChange((user) => {
  const { path, asFolder, status } = listing
  loading?.abort()
  loading = undefined
  assign(listing, { path: ROOT, entry: null, status: 'idle', fault: null })
  if (user && status !== 'idle') void loadListing(path, asFolder)
})

/** Shows `path`. If the page before showed something inside `path`, the cursor is on that subfolder. */
export async function loadListing(path: TreePath, asFolder = true): Promise<void> {
  const from = listing.path
  const isHere = path === from && listing.status !== 'idle'
  listing.asFolder = asFolder
  if (!isHere) {
    resetSelection()
    listing.filter = null
    childLeft = isInside(from, path) ? segmentsOf(from)[segmentsOf(path).length] : undefined
    assign(listing, { path, entry: null, fault: null })
  }
  await load(path)
}

/** Clears the store, because another kind of page is shown: no entry can be the target of an action. */
export function clearListing(): void {
  loading?.abort()
  loading = undefined
  resetSelection()
  listing.status = 'idle'
}

/** Loads the shown path again; selection and scroll position stay. */
export async function reloadListing(): Promise<void> {
  if (listing.status !== 'idle') await load(listing.path)
}

/** Loads the shown path again if the last attempt failed. Called when the connection comes back. */
export async function retryListing(): Promise<void> {
  if (listing.status === 'failed' || isStale) await reloadListing()
}

/** Updates the metadata of the shown file after it was saved. */
export function updateFile(path: TreePath, changes: Partial<ReadFile>): void {
  const { entry } = listing
  if (listing.path !== path || !entry || isListing(entry)) return
  listing.entry = ref({ ...entry, ...changes })
  void loadUsage(parentPath(path))
}

/** After the next load, entries with these names are selected and scrolled into view. */
export function preselect(names: readonly string[]): void {
  namesToSelect = names
}

/** Sorts the entries at once, and stores the order for this folder or for all. */
export async function sortListing(sorting: Sorting): Promise<void> {
  const { entry } = listing
  if (!entry || !isListing(entry)) return
  listing.entry = ref({ ...entry, items: sortEntries(entry.items, sorting), sorting })
  await changeView(listing.path, { sorting }).catch(() => undefined)
}

/** Opens the filter, or moves the focus to it. */
export function openFilter(): void {
  listing.filter ??= ''
  listing.filterRequests += 1
}

/** Shows only entries whose names contain `text`, and deselects the hidden ones. */
export function setFilter(text: string): void {
  listing.filter = text
  const { entry } = listing
  if (entry && isListing(entry)) keepSelection(shownItems(entry, text))
}

/** Closes the filter, so that all entries are shown. */
export function closeFilter(): void {
  listing.filter = null
}

/** @returns the entries of a folder that match the filter */
export function shownItems({ items }: Listing, filter: string | null): readonly Entry[] {
  return filterByName(items, filter ?? '')
}

/** @returns the entries of the folder shown; none for a file */
export function itemsOf(entry: ListingState['entry']): readonly Entry[] {
  return entry && isListing(entry) ? entry.items : NO_ITEMS
}

const NO_ITEMS: readonly Entry[] = []

/** Whether the disk ignores the case of names in the folder shown; false for a file. */
export function foldsCaseIn(entry: ListingState['entry']): boolean {
  return entry !== null && isListing(entry) && entry.foldsCase === true
}

/** The names of the entries that the next load selects. */
let namesToSelect: readonly string[] | undefined
/** The name of the subfolder that the page was left from; the next load moves the cursor to it. */
let childLeft: string | undefined
let loading: AbortController | undefined
/** Whether what is shown could not be loaded again, because there was no connection. */
let isStale = false

async function load(path: TreePath): Promise<void> {
  loading?.abort()
  const current = new AbortController()
  loading = current
  listing.status = 'loading'
  try {
    const entry = await stat(path, current.signal, (first, isComplete) => {
      if (loading === current && !listing.entry) showEarly(first, isComplete)
    })
    if (loading === current) show(entry)
  } catch (error) {
    if (loading === current && !isFault(error, 'aborted')) fail(error)
  }
}

/** Shows an earlier listing, or the first entries, while the folder loads. */
function showEarly(first: Listing, isComplete: boolean): void {
  // The first entries in one order are not those in another.
  if (!isComplete && !isSameSorting(first.sorting, viewOf(first.path).sorting)) return
  assign(listing, { entry: ref(isComplete ? inOrder(first) : first), isComplete })
}

function show(entry: Listing | ReadFile): void {
  isStale = false
  const shown = isListing(entry) ? inOrder(entry) : entry
  assign(listing, { entry: ref(shown), isComplete: true, status: 'ready', fault: null })
  // A change has also changed what its disk has left. It is the same for all files of a folder.
  void (isListing(entry) ? loadUsageWith(entry) : loadUsageOnce(parentPath(entry.path)))
  keepSelection(itemsOf(shown))
  applyPreselection(itemsOf(shown))
}

/** @returns the listing in the order of its folder; the same object if it is sorted already */
function inOrder(folder: Listing): Listing {
  const sorting = session.user && viewOf(folder.path).sorting
  if (!sorting || isSorted(folder, sorting)) return folder
  return { ...folder, items: sortEntries(folder.items, sorting), sorting }
}

/** Whether the server has already sorted the entries in the order to show. */
function isSorted({ sorting, items }: Listing, sortingToShow: Sorting): boolean {
  const mayDiffer = items.length <= UI_LIMITS.ownAlphabetMax && sortsUnlikeServer()
  return !mayDiffer && isSameSorting(sorting, sortingToShow)
}

/** Shows the failure. Without a connection, what is shown stays, and a banner reports the connection. */
function fail(error: unknown): void {
  if (listing.entry && listing.isComplete && !listing.fault && isNoConnection(error)) {
    isStale = true
    listing.status = 'ready'
    return
  }
  assign(listing, { status: 'failed', fault: ref(toFault(error)) })
}

function applyPreselection(items: readonly Entry[]): void {
  if (namesToSelect) {
    const names = new Set(namesToSelect)
    selectOrMoveCursor(items.filter((item) => names.has(item.name)))
    namesToSelect = undefined
  } else if (childLeft !== undefined) {
    moveCursor(items.find((item) => nameOf(item.path) === childLeft))
    childLeft = undefined
  }
}

/**
 * Selects entries, and closes a filter that hides them. On a touch screen only the cursor moves, because the next tap
 * would toggle the selection instead of opening the entry.
 */
function selectOrMoveCursor(entries: readonly Entry[]): void {
  const hidden = entries.some((entry) => !filterByName([entry], listing.filter ?? '').length)
  if (hidden) closeFilter()
  if (matchMedia(TOUCH).matches) moveCursor(entries[0])
  else select(entries)
}

function isSameSorting(a: Sorting, b: Sorting): boolean {
  return a.by === b.by && a.asc === b.asc
}
