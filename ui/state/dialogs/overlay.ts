/** The overlay that the user has opened over the page: at most one. */
import { proxy } from 'valtio'
import { collectTyping, takeTypedEarly } from './early-keys.ts'

/** `look`: Quick Look. */
type OverlayName = 'finder' | 'look'

export const overlay = proxy<{ open: OverlayName | null }>({ open: null })

export function openOverlay(name: OverlayName): void {
  overlay.open = name
  if (name === 'finder') collectTyping(closeOverlay)
}

export function closeOverlay(): void {
  takeTypedEarly()
  overlay.open = null
}
