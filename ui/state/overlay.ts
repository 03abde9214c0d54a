/** The overlay that the user has opened over the page: at most one. */
import { proxy } from 'valtio'

type OverlayName = 'finder' | 'look'

export const overlay = proxy<{ open: OverlayName | null }>({ open: null })

export function openOverlay(name: OverlayName): void {
  overlay.open = name
}

export function closeOverlay(): void {
  overlay.open = null
}
