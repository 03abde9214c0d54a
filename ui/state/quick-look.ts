/** Quick Look: what one looks at over the listing, without going anywhere. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import type { Entry } from '#wire/entry.ts'
import { closeOverlay, openOverlay, overlay } from './overlay.ts'
import { moveCursor, selectOnly } from './selection.ts'

interface QuickLook {
  /** A `ref`; null while nothing is looked at. */
  entry: Entry | null
  /** What the arrow keys walk through, in the order of the listing. A `ref`. */
  among: readonly Entry[]
}

const NOTHING: readonly Entry[] = ref([])

export const quickLook = proxy<QuickLook>({ entry: null, among: NOTHING })

/** Whether walking leaves the selection as it is: several things were chosen, and are walked through. */
let isOfSelection = false

subscribeKey(overlay, 'open', (open) => {
  if (open !== 'look') letGo()
})

/**
 * Shows the first of several chosen things, or one, over the listing.
 *
 * @param entries what is chosen; of several the arrow keys walk through those
 * @param items all that is listed
 */
export function openQuickLook(entries: readonly Entry[], items: readonly Entry[]): void {
  const [first, ...others] = entries
  if (!first) return
  isOfSelection = others.length > 0
  quickLook.among = ref(isOfSelection ? entries : items)
  lookAt(first)
  openOverlay('look')
}

/** Goes on to another one. The listing follows: one stops where one closes. */
export function lookAt(entry: Entry): void {
  quickLook.entry = ref(entry)
  if (!isOfSelection) selectOnly(entry)
  moveCursor(entry)
}

export function closeQuickLook(): void {
  closeOverlay()
  letGo()
}

/** What is before and after the one that is looked at. */
export function neighboursInLook({ entry, among }: QuickLook): {
  previous: Entry | undefined
  next: Entry | undefined
} {
  const at = among.findIndex(({ path }) => path === entry?.path)
  if (at < 0) return { previous: undefined, next: undefined }
  return { previous: among[at - 1], next: among[at + 1] }
}

function letGo(): void {
  Object.assign(quickLook, { entry: null, among: NOTHING })
}
