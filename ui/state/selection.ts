/** What is selected in the listing, by path, so that it survives a reload (docs/specification.md 4). */
import { proxy, ref } from 'valtio'
import type { Entry } from '#wire/entry.ts'

interface Selection {
  /** Replaced as a whole, never changed in place. */
  paths: ReadonlySet<string>
  /** The item the keyboard is at. */
  cursor: string | undefined
  /** Where a range begins. */
  anchor: string | undefined
  /** Every click or tap toggles, as if Ctrl was held. */
  multiple: boolean
  /** Items of the listing are dragged: the path is shown, so that they can be dropped on it. */
  dragging: boolean
  /** Counts the times the cursor's row should be brought into view. */
  reveals: number
}

const NONE: ReadonlySet<string> = new Set()

export const selection = proxy<Selection>({
  paths: ref(NONE),
  cursor: undefined,
  anchor: undefined,
  multiple: false,
  dragging: false,
  reveals: 0,
})

/** Selects exactly these and brings the first into view. */
export function select(entries: readonly Entry[]): void {
  setPaths(entries.map((entry) => entry.path))
  moveCursor(entries[0])
}

/** Selects `entry` alone. */
export function selectOnly(entry: Entry): void {
  setPaths([entry.path])
  setCursor(entry.path)
}

export function toggle(entry: Entry): void {
  const paths = new Set(selection.paths)
  if (!paths.delete(entry.path)) paths.add(entry.path)
  setPaths(paths)
  setCursor(entry.path)
}

/** Selects everything between the anchor and `entry`; with `add`, beside what is selected. */
export function selectRange(entry: Entry, items: readonly Entry[], add = false): void {
  const from = indexOf(items, selection.anchor ?? selection.cursor ?? entry.path)
  const to = indexOf(items, entry.path)
  const anchor = items[Math.max(0, from)]?.path
  const range = items.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1)
  const paths = range.map((item) => item.path)
  setPaths(add ? new Set([...selection.paths, ...paths]) : paths)
  Object.assign(selection, { cursor: entry.path, anchor })
}

export function selectAll(items: readonly Entry[]): void {
  setPaths(items.map((item) => item.path))
}

/** Selects what a rubber band covers. */
export function setPaths(paths: Iterable<string>): void {
  const next = new Set(paths)
  selection.paths = ref(next.size > 0 ? next : NONE)
}

export function clearSelection(): void {
  selection.paths = ref(NONE)
  selection.multiple = false
}

/** Puts the cursor on `entry` and brings it into view; what is selected stays. */
export function moveCursor(entry: Entry | undefined): void {
  if (!entry) return
  setCursor(entry.path)
  selection.reveals += 1
}

/** Another place is shown. */
export function resetSelection(): void {
  clearSelection()
  Object.assign(selection, { cursor: undefined, anchor: undefined })
}

/** The folder was loaded again: what is gone is no longer selected. */
export function keepSelection(items: readonly Entry[]): void {
  const known = (path: string) => indexOf(items, path) >= 0
  setPaths([...selection.paths].filter(known))
  if (selection.cursor && !known(selection.cursor)) setCursor(undefined)
}

/** The selected ones of `items`, in their order. */
export function selectedOf(items: readonly Entry[], paths: ReadonlySet<string>): readonly Entry[] {
  if (paths.size === 0) return NO_ENTRIES
  if (lastSelected?.items !== items || lastSelected.paths !== paths) {
    lastSelected = { items, paths, entries: items.filter((item) => paths.has(item.path)) }
  }
  return lastSelected.entries
}

/** Where `path` is in `items`, or -1. Quick for any size: each list is indexed once. */
export function indexOf(items: readonly Entry[], path: string | undefined): number {
  if (path === undefined) return -1
  let index = indices.get(items)
  if (!index) {
    index = new Map(items.map((item, at) => [item.path, at]))
    indices.set(items, index)
  }
  return index.get(path) ?? -1
}

const NO_ENTRIES: readonly Entry[] = []
const indices = new WeakMap<readonly Entry[], Map<string, number>>()
let lastSelected:
  | { items: readonly Entry[]; paths: ReadonlySet<string>; entries: readonly Entry[] }
  | undefined

function setCursor(path: string | undefined): void {
  Object.assign(selection, { cursor: path, anchor: path })
}
