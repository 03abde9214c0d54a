/** Quick Look: shows a file over the listing, without navigation. */

import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { assign } from '#ui/lib/assign.ts'
import type { Entry } from '#wire/api/entry.ts'
import { closeOverlay, openOverlay, overlay } from '../dialogs/overlay.ts'
import { moveCursor, selectOnly } from '../folder/selection.ts'

interface QuickLook {
  /** A `ref`; null while Quick Look is closed. */
  entry: Entry | null
  /** The entries that the arrow keys step through, in the order of the listing. A `ref`. */
  sequence: readonly Entry[]
  /** Whether it is over the finder, which is shown again when it closes. */
  isOverFinder: boolean
}

const NOTHING: readonly Entry[] = ref([])

export const quickLook = proxy<QuickLook>({ entry: null, sequence: NOTHING, isOverFinder: false })

/** Whether the arrow keys step through several selected entries: stepping then keeps the selection. */
let isOfSelection = false

subscribeKey(overlay, 'open', (open) => {
  if (open !== 'look') clear()
})

/**
 * Shows the selected entry, or the first of several, over the listing.
 *
 * @param entries the selected entries; the arrow keys step through several
 * @param items all entries of the listing
 */
export function openQuickLook(entries: readonly Entry[], items: readonly Entry[]): void {
  const [first, ...others] = entries
  if (!first) return
  isOfSelection = others.length > 0
  quickLook.sequence = ref(isOfSelection ? entries : items)
  showInQuickLook(first)
  openOverlay('look')
}

/** Shows a result over the finder. The arrow keys step through the results, and the listing keeps its selection. */
export function openQuickLookOverFinder(entry: Entry, results: readonly Entry[]): void {
  assign(quickLook, { entry: ref(entry), sequence: ref(results), isOverFinder: true })
  openOverlay('look')
}

/** Shows another entry. The selection of the listing follows, so that it is at this entry when Quick Look closes. */
export function showInQuickLook(entry: Entry): void {
  quickLook.entry = ref(entry)
  if (quickLook.isOverFinder) return
  if (!isOfSelection) selectOnly(entry)
  moveCursor(entry)
}

export function closeQuickLook(): void {
  if (quickLook.isOverFinder) overlay.open = 'finder'
  else closeOverlay()
  clear()
}

/** @returns the entries before and after the shown one */
export function quickLookNeighbours({ entry, sequence }: QuickLook): {
  previous: Entry | undefined
  next: Entry | undefined
  rank?: { at: number; of: number }
} {
  const index = sequence.findIndex(({ path }) => path === entry?.path)
  if (index < 0) return { previous: undefined, next: undefined }
  const rank = { at: index + 1, of: sequence.length }
  return { previous: sequence[index - 1], next: sequence[index + 1], rank }
}

function clear(): void {
  assign(quickLook, { entry: null, sequence: NOTHING, isOverFinder: false })
}
