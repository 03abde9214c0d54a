/** The selection of the listing, by path, so that it survives a reload (docs/specification.md 4). */

import { proxy, ref } from 'valtio'
import { assign } from '#ui/lib/assign.ts'
import type { Entry } from '#wire/api/entry.ts'

interface Selection {
  /** Replaced as a whole, never changed in place. */
  paths: ReadonlySet<string>
  /** The path that has the keyboard cursor. */
  cursor: string | undefined
  /** Whether the keyboard moved the cursor there: its row then has a focus ring. */
  isByKeyboard: boolean
  /** The path at which a range selection begins. */
  anchor: string | undefined
  /** Selection mode: every click or tap toggles, as with Ctrl. */
  isSelectionMode: boolean
  /** Whether entries of the listing are dragged. The top bar then shows the breadcrumbs as drop targets. */
  isDragging: boolean
  /** Counts the requests to scroll the cursor's row into view. */
  revealRequests: number
}

const NONE: ReadonlySet<string> = new Set()

/** What can be selected: entries, and items of other lists with a name in place of the path. */
interface Selectable {
  path: string
}

export const selection = proxy<Selection>({
  paths: ref(NONE),
  cursor: undefined,
  isByKeyboard: false,
  anchor: undefined,
  isSelectionMode: false,
  isDragging: false,
  revealRequests: 0,
})

/** Selects exactly these entries and scrolls the first into view. */
export function select(entries: readonly Selectable[]): void {
  setPaths(entries.map((entry) => entry.path))
  moveCursor(entries[0])
}

/** Selects only `entry`. */
export function selectOnly(entry: Selectable): void {
  setPaths([entry.path])
  setCursor(entry.path)
}

export function toggle(entry: Selectable): void {
  const paths = new Set(selection.paths)
  if (!paths.delete(entry.path)) paths.add(entry.path)
  setPaths(paths)
  setCursor(entry.path)
}

/** Selects the range between the anchor and `entry`; with `add`, in addition to the current selection. */
export function selectRange(entry: Selectable, items: readonly Selectable[], add = false): void {
  const to = indexOf(items, entry.path)
  // The filter may hide the anchor, but not the cursor.
  const starts = [selection.anchor, selection.cursor].map((path) => indexOf(items, path))
  const from = starts.find((index) => index >= 0) ?? to
  const anchor = items[from]?.path
  const range = items.slice(Math.min(from, to), Math.max(from, to) + 1)
  const paths = range.map((item) => item.path)
  setPaths(add ? new Set([...selection.paths, ...paths]) : paths)
  assign(selection, { cursor: entry.path, anchor })
}

export function selectAll(items: readonly Selectable[]): void {
  setPaths(items.map((item) => item.path))
}

/** Replaces the selection by these paths. */
export function setPaths(paths: Iterable<string>): void {
  const selected = new Set(paths)
  selection.paths = ref(selected.size > 0 ? selected : NONE)
}

export function clearSelection(): void {
  selection.paths = ref(NONE)
  selection.isSelectionMode = false
}

/** Moves the cursor to `entry` and scrolls it into view; the selection stays. */
export function moveCursor(entry: Selectable | undefined): void {
  if (!entry) return
  setCursor(entry.path)
  selection.revealRequests += 1
}

/** Clears the selection, because another folder is shown. */
export function resetSelection(): void {
  clearSelection()
  assign(selection, { cursor: undefined, anchor: undefined })
}

/** Deselects all entries except `items`, because the others no longer exist or are hidden by the filter. */
export function keepSelection(items: readonly Selectable[]): void {
  const exists = (path: string) => indexOf(items, path) >= 0
  setPaths([...selection.paths].filter(exists))
  if (selection.cursor && !exists(selection.cursor)) setCursor(undefined)
}

/** @returns the selected entries of `items`, in their order */
export function selectedOf(items: readonly Entry[], paths: ReadonlySet<string>): readonly Entry[] {
  if (paths.size === 0) return NO_ENTRIES
  if (lastSelected?.items !== items || lastSelected.paths !== paths) {
    lastSelected = { items, paths, entries: items.filter((item) => paths.has(item.path)) }
  }
  return lastSelected.entries
}

/** @returns the index of `path` in `items`, or -1; each list is indexed once, so this is fast for any size */
export function indexOf(items: readonly Selectable[], path: string | undefined): number {
  if (path === undefined) return -1
  let index = indices.get(items)
  if (!index) {
    index = new Map(items.map((item, position) => [item.path, position]))
    indices.set(items, index)
  }
  return index.get(path) ?? -1
}

const NO_ENTRIES: readonly Entry[] = []
/** The index of each path, by the list of entries. */
const indices = new WeakMap<readonly Selectable[], Map<string, number>>()
/** The last result of `selectedOf`, which is often called with the same arguments. */
let lastSelected:
  | { items: readonly Entry[]; paths: ReadonlySet<string>; entries: readonly Entry[] }
  | undefined

function setCursor(path: string | undefined): void {
  assign(selection, { cursor: path, anchor: path })
}
