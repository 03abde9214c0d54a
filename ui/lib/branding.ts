/** The operator's theme and colour, on the page. */
import type { PublicSettings } from '#wire/settings.ts'

export function applyBranding({ Theme, Color }: Pick<PublicSettings, 'Theme' | 'Color'>): void {
  const root = document.documentElement
  if (Theme) root.dataset.theme = Theme
  else delete root.dataset.theme
  if (Color) root.style.setProperty('--brand', Color)
  else root.style.removeProperty('--brand')
}
