/** The folder or file being looked at. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { type ReadFile, stat } from '#ui/api/resources.ts'
import { filterByName } from '#ui/lib/filter.ts'
import { TOUCH } from '#ui/lib/media.ts'
import { sortEntries } from '#ui/lib/sort.ts'
import { type Entry, isListing, type Listing, type Sorting } from '#wire/entry.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { isInside, nameOf, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { keepSelection, moveCursor, resetSelection, select } from './selection.ts'
import { changePreferences, session } from './session.ts'

interface ListingState {
  path: TreePath
  /** Until it is loaded: whether its address spells it as a folder. */
  asFolder: boolean
  /** A `ref`: a folder of 100 000 entries is no proxy, and is only ever replaced as a whole. */
  entry: Listing | ReadFile | null
  status: 'idle' | 'loading' | 'ready' | 'failed'
  fault: Fault | null
  /** What the names of the items shown hold; null while the filter is closed. */
  filter: string | null
  /** How often the filter was asked for. */
  filterAsks: number
}

export const listing = proxy<ListingState>({
  path: ROOT,
  asFolder: true,
  entry: null,
  status: 'idle',
  fault: null,
  filter: null,
  filterAsks: 0,
})

/** The next person to sign in sees nothing of this one's. */
subscribeKey(session, 'user', (user) => {
  if (!user) Object.assign(listing, { path: ROOT, entry: null, status: 'idle', fault: null })
})

/** Shows `path`. Coming from a folder below, the cursor is on it. */
export async function loadListing(path: TreePath, asFolder = true): Promise<void> {
  const from = listing.path
  const isHere = path === from && listing.status !== 'idle'
  listing.asFolder = asFolder
  if (!isHere) {
    resetSelection()
    listing.filter = null
    cameFrom = isInside(from, path) ? segmentsOf(from)[segmentsOf(path).length] : undefined
    Object.assign(listing, { path, entry: null, fault: null })
  }
  await load(path)
}

/** Another page is shown: nothing is looked at, so nothing can be done with it. */
export function leaveListing(): void {
  loading?.abort()
  loading = undefined
  resetSelection()
  listing.status = 'idle'
}

/** Loads the same place again, if one is looked at; selection and scroll position stay. */
export async function reloadListing(): Promise<void> {
  if (listing.status !== 'idle') await load(listing.path)
}

/** What is known of the file shown has changed: it was saved. */
export function updateFile(path: TreePath, changes: Partial<ReadFile>): void {
  const { entry } = listing
  if (listing.path !== path || !entry || isListing(entry)) return
  listing.entry = ref({ ...entry, ...changes })
}

/** After the next load, items with these names are selected and scrolled to. */
export function preselect(names: readonly string[]): void {
  wanted = names
}

/** Orders the items at once, and remembers the order for this person. */
export async function sortListing(sorting: Sorting): Promise<void> {
  const { entry } = listing
  if (!entry || !isListing(entry)) return
  listing.entry = ref({ ...entry, items: sortEntries(entry.items, sorting), sorting })
  await changePreferences({ sorting }).catch(() => undefined)
}

/** Opens the filter, or goes back to it. */
export function openFilter(): void {
  listing.filter ??= ''
  listing.filterAsks += 1
}

/** Shows only items whose names hold `text`; what is no longer shown is no longer selected. */
export function setFilter(text: string): void {
  listing.filter = text
  const { entry } = listing
  if (entry && isListing(entry)) keepSelection(shownItems(entry, text))
}

/** Shows everything again. */
export function closeFilter(): void {
  listing.filter = null
}

/** The items of a folder that the filter lets through. */
export function shownItems({ items }: Listing, filter: string | null): readonly Entry[] {
  return filterByName(items, filter ?? '')
}

/** The items of the folder shown; none for a file. */
export function itemsOf(entry: ListingState['entry']): readonly Entry[] {
  return entry && isListing(entry) ? entry.items : NO_ITEMS
}

const NO_ITEMS: readonly Entry[] = []

let wanted: readonly string[] | undefined
let cameFrom: string | undefined
let loading: AbortController | undefined

async function load(path: TreePath): Promise<void> {
  loading?.abort()
  const current = new AbortController()
  loading = current
  listing.status = 'loading'
  try {
    const entry = await stat(path, current.signal)
    if (loading === current) show(entry)
  } catch (error) {
    if (loading === current && !isFault(error, 'aborted')) fail(error)
  }
}

function show(entry: Listing | ReadFile): void {
  const sorting = session.user?.sorting
  const mine = isListing(entry) && sorting && !isSameSorting(entry.sorting, sorting)
  const shown = mine ? { ...entry, items: sortEntries(entry.items, sorting), sorting } : entry
  Object.assign(listing, { entry: ref(shown), status: 'ready', fault: null })
  keepSelection(itemsOf(shown))
  restoreMarks(itemsOf(shown))
}

function fail(error: unknown): void {
  const fault =
    error instanceof Fault ? error : new Fault('internal', String(error), { cause: error })
  Object.assign(listing, { status: 'failed', fault: ref(fault) })
}

function restoreMarks(items: readonly Entry[]): void {
  if (wanted) {
    const names = new Set(wanted)
    mark(items.filter((item) => names.has(item.name)))
    wanted = undefined
  } else if (cameFrom !== undefined) {
    moveCursor(items.find((item) => nameOf(item.path) === cameFrom))
    cameFrom = undefined
  }
}

/** By touch a selection would turn the next tap, which should open, into one that selects. */
function mark(entries: readonly Entry[]): void {
  const hidden = entries.some((entry) => !filterByName([entry], listing.filter ?? '').length)
  if (hidden) closeFilter()
  if (matchMedia(TOUCH).matches) moveCursor(entries[0])
  else select(entries)
}

function isSameSorting(a: Sorting, b: Sorting): boolean {
  return a.by === b.by && a.asc === b.asc
}
