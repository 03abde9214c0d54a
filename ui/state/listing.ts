/** The folder or file being looked at. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { type ReadFile, stat } from '#ui/api/resources.ts'
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
}

export const listing = proxy<ListingState>({
  path: ROOT,
  asFolder: true,
  entry: null,
  status: 'idle',
  fault: null,
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
    select(items.filter((item) => names.has(item.name)))
    wanted = undefined
  } else if (cameFrom !== undefined) {
    moveCursor(items.find((item) => nameOf(item.path as TreePath) === cameFrom))
    cameFrom = undefined
  }
}

function isSameSorting(a: Sorting, b: Sorting): boolean {
  return a.by === b.by && a.asc === b.asc
}
