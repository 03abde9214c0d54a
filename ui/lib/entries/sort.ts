/**
 * Sorts a listing as the server does (docs/api.md 8.5, docs/decisions.md 4), with the alphabet of the interface's
 * language: the server sorts names in one order for all users.
 */
import { type Entry, SORT_KEYS, type Sorting, type SortKey } from '#wire/api/entry.ts'

/** The properties that entries are sorted by. */
type Sorted = Pick<Entry, 'name' | 'size' | 'totalSize' | 'modified' | 'isDir'>

/** @returns a sorted copy: folders before files, names in natural order, entries of equal size or date by name */
export function sortEntries<T extends Sorted>(entries: readonly T[], { by, asc }: Sorting): T[] {
  const compare = COMPARERS[by]
  const direction = asc ? 1 : -1
  const inOrder = (a: T, b: T) => direction * compare(a, b) || compareNames(a.name, b.name)
  const folders = entries.filter((entry) => entry.isDir).sort(inOrder)
  const files = entries.filter((entry) => !entry.isDir).sort(inOrder)
  return folders.concat(files)
}

interface SortColumn {
  by: SortKey
  /** Its order as a value of `aria-sort`. */
  order: 'none' | 'ascending' | 'descending'
  /** The sorting after a click on it: its default, and the reverse after a second click. */
  onceClicked: Sorting
}

/** The columns that a list can be sorted by. */
export function sortColumns(sorting: Sorting): SortColumn[] {
  return SORT_KEYS.map((by) => ({
    by,
    order: ariaSort(by, sorting),
    onceClicked: orderBy(by, sorting),
  }))
}

/** The order after a click on a column. By default sizes begin with the largest, and dates with the latest. */
export function orderBy(by: SortKey, sorting: Sorting): Sorting {
  return { by, asc: sorting.by === by ? !sorting.asc : by === 'name' }
}

function ariaSort(by: SortKey, sorting: Sorting): SortColumn['order'] {
  if (sorting.by !== by) return 'none'
  return sorting.asc ? 'ascending' : 'descending'
}

/** Compares names in natural order (`a2` before `a10`), by the alphabet of the interface's language. */
export function compareNames(a: string, b: string): number {
  return orderOfPage().names.compare(a, b) || (a < b ? -1 : 1)
}

/** Whether the language of the interface orders some letters in another way than the server. */
export function sortsUnlikeServer(): boolean {
  return orderOfPage().differsFromServer
}

interface Order {
  names: Intl.Collator
  differsFromServer: boolean
}

/** The language whose alphabet the server sorts by. */
const SERVER_LANGUAGE = 'en'
/** Letters and characters whose positions differ between the alphabets of the 27 languages. */
const LETTERS = [...'aäåæbcčçdeęfgğhchiíıjklłmnñoöőøpqrřsšștuüvwyzžþ一三上中丁国文']
/** The order of each language. */
const orders = new Map<string, Order>()

function orderOfPage(): Order {
  const language = globalThis.document?.documentElement.lang || SERVER_LANGUAGE
  const cached = orders.get(language)
  if (cached) return cached
  const names = collatorOf(language)
  const sorted = (by: Intl.Collator) => LETTERS.toSorted(by.compare).join('')
  const order = { names, differsFromServer: sorted(names) !== sorted(collatorOf(SERVER_LANGUAGE)) }
  orders.set(language, order)
  return order
}

function collatorOf(language: string): Intl.Collator {
  return new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
}

/** Compare two folders or two files. */
const COMPARERS: Record<SortKey, (a: Sorted, b: Sorted) => number> = {
  name: (a, b) => compareNames(a.name, b.name),
  size: (a, b) => bytesOf(a) - bytesOf(b),
  modified: (a, b) => Date.parse(a.modified) - Date.parse(b.modified),
}

/** The size that a listing shows; 0 for a folder of unknown size. */
function bytesOf({ isDir, size, totalSize = 0 }: Sorted): number {
  return isDir ? totalSize : size
}
