/** The overlay that the user has opened over the page: at most one. */
import { proxy } from 'valtio'
import { t } from '#ui/i18n/i18n.ts'
import { showEarlyField, takeEarlyText } from '#ui/lib/page/early-field.ts'

/** `look`: Quick Look. */
type OverlayName = 'finder' | 'look'

export const overlay = proxy<{ open: OverlayName | null }>({ open: null })

export function openOverlay(name: OverlayName): void {
  overlay.open = name
  if (name === 'finder') showEarlyField(t('finder.field'), closeOverlay)
}

export function closeOverlay(): void {
  takeEarlyText()
  overlay.open = null
}
