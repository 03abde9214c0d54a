/** The items of the trash for its page: the newest first, then all others; restores and deletes them. */
import { proxy, ref } from 'valtio'
import * as api from '#ui/api/files/trash.ts'
import { storedFault } from '#ui/i18n/faults.ts'
import { assign } from '#ui/lib/assign.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import type { Restored, TrashItemInfo } from '#wire/api/journal.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { onUserChange } from '../session/session.ts'
import { onUndone } from './undo.ts'

/** Consecutive items of the trash. */
interface Items {
  /** The newest first; undefined until the first page is loaded. */
  items: readonly TrashItemInfo[] | undefined
  /** Whether older items may exist. */
  hasMore: boolean
}

interface TrashState extends Items {
  isLoading: boolean
  fault: Fault | undefined
}

const NOTHING: TrashState = {
  items: undefined,
  hasMore: false,
  isLoading: false,
  fault: undefined,
}

export const trash = proxy<TrashState>({ ...NOTHING })

/** Loads the newest items. Items that are shown before stay until the response arrives. */
export async function loadTrash(): Promise<void> {
  await load(newestItems)
}

/**
 * Loads the newest items, shows them, and then loads all older ones, so that they can be sorted and filtered; at most
 * `ON_DEMAND_LIMITS.trashItemsMax`.
 */
export async function loadWholeTrash(): Promise<void> {
  await loadTrash()
  // Another call may have begun to load everything again.
  const goesOn = () => request && trash.hasMore && !trash.fault && !trash.isLoading && !isFull()
  while (goesOn()) await loadOlderItems()
}

/** Whether no more items are loaded, although older ones exist. */
export function isFull(): boolean {
  return trash.hasMore && (trash.items?.length ?? 0) >= ON_DEMAND_LIMITS.trashItemsMax
}

/** Loads the next page of older items, unless something is being loaded. */
export async function loadOlderItems(): Promise<void> {
  if (trash.isLoading) return
  loadingOlder = load(olderItems)
  await loadingOlder
}

/** Loads all pages that are shown again, because items were restored or deleted; nothing if the page was left. */
export async function reloadTrash(): Promise<void> {
  await loadingOlder
  if (request) await loadWholeTrash()
}

/** Clears the store when the page is left. */
export function clearTrash(): void {
  request?.abort()
  request = undefined
  clearTimeout(sizesTimer)
  sizesDelayMs = ON_DEMAND_LIMITS.trashSizesMs
  assign(trash, NOTHING)
}

/**
 * Restores items.
 *
 * @returns those that are restored
 * @throws Fault with the reason why the first one stays in the trash, if all stay there
 */
export async function restoreItems(
  items: readonly Pick<TrashItemInfo, 'id'>[],
): Promise<Restored[]> {
  const results: Restored[] = []
  for (const ids of slicesOf(items)) results.push(...(await api.restore(ids)))
  const restored = results.filter(({ path }) => path !== '')
  const [first] = results
  if (restored.length === 0) throw storedFault(first?.fault ?? '', first?.problem ?? '')
  return restored
}

/**
 * Deletes items permanently.
 *
 * @throws Fault notFound, forbidden, unavailable (the disk of some is not mounted)
 */
export async function purgeItems(items: readonly Pick<TrashItemInfo, 'id'>[]): Promise<void> {
  for (const ids of slicesOf(items)) await api.purge(ids)
}

/**
 * Removes those of the items from the list whose disk is not mounted.
 *
 * @param items undefined for all
 */
export async function forgetItems(
  items: readonly Pick<TrashItemInfo, 'id'>[] | undefined,
): Promise<void> {
  if (!items) return api.empty(true)
  // The others are deleted already.
  await reloadTrash()
  const listed = new Set(trash.items?.map(({ id }) => id))
  for (const ids of slicesOf(items.filter(({ id }) => listed.has(id)))) await api.purge(ids, true)
}

/** The ids of items, as many at a time as one request names. */
function slicesOf(items: readonly Pick<TrashItemInfo, 'id'>[]): number[][] {
  const ids = items.map(({ id }) => id)
  const slices: number[][] = []
  for (let from = 0; from < ids.length; from += ON_DEMAND_LIMITS.trashIdsMax)
    slices.push(ids.slice(from, from + ON_DEMAND_LIMITS.trashIdsMax))
  return slices
}

/** Permanently deletes all items that the user may delete, also those that are not loaded. */
export function emptyTrash(): Promise<void> {
  return api.empty()
}

/** The last request of the page; undefined if the page is not shown. */
let request: AbortController | undefined
/** The last load of older items, which has an end also if it fails. */
let loadingOlder: Promise<void> | undefined

/** The load for sizes that are not known yet, and the time until it. */
let sizesTimer: ReturnType<typeof setTimeout> | undefined
let sizesDelayMs: number = ON_DEMAND_LIMITS.trashSizesMs

/** The next user must not see the items of this one. */
onUserChange((user) => {
  const isShown = request !== undefined
  clearTrash()
  if (user && isShown) void loadWholeTrash()
})

/** An undo takes items out of the trash. */
onUndone(() => void reloadTrash())

async function load(read: (signal: AbortSignal) => Promise<Items>): Promise<void> {
  request?.abort()
  const current = new AbortController()
  request = current
  trash.isLoading = true
  try {
    const { items, hasMore } = await read(current.signal)
    if (request !== current) return
    assign(trash, { items: items && ref(items), hasMore, isLoading: false, fault: undefined })
    if (items?.some(({ size }) => size < 0)) loadSizesLater()
  } catch (error) {
    if (request === current && !isFault(error, 'aborted'))
      assign(trash, { isLoading: false, fault: ref(toFault(error)) })
  }
}

/** The server measures a folder a moment after its deletion; a large one takes longer. Each further wait is longer. */
function loadSizesLater(): void {
  clearTimeout(sizesTimer)
  sizesTimer = setTimeout(() => {
    if (trash.isLoading) loadSizesLater()
    else void loadTrash()
  }, sizesDelayMs)
  sizesDelayMs *= 2
}

/** The newest page, and if items are shown, everything down to the oldest of them. */
async function newestItems(signal: AbortSignal): Promise<Items> {
  const shown = trash.items ?? []
  const oldest = shown.at(-1)?.id ?? Number.POSITIVE_INFINITY
  const limit = Math.min(Math.max(shown.length, LIMITS.auditPage), LIMITS.auditPageMax)
  const items: TrashItemInfo[] = []
  for (;;) {
    const page = await api.list({ before: items.at(-1)?.id, limit }, signal)
    items.push(...page)
    const last = page.at(-1)
    const hasMore = page.length === limit
    if (!hasMore || !last || last.id <= oldest) return { items, hasMore }
  }
}

/** The shown items and the page after them. */
async function olderItems(signal: AbortSignal): Promise<Items> {
  const shown = trash.items ?? []
  const limit = LIMITS.auditPageMax
  const page = await api.list({ before: shown.at(-1)?.id, limit }, signal)
  return { items: [...shown, ...page], hasMore: page.length === limit }
}
