/** What lies over the page because it was asked for: one thing at a time. */
import { proxy } from 'valtio'

type OverlayName = 'search' | 'palette' | 'look'

export const overlay = proxy<{ open: OverlayName | null }>({ open: null })

export function openOverlay(name: OverlayName): void {
  overlay.open = name
}

export function closeOverlay(): void {
  overlay.open = null
}
