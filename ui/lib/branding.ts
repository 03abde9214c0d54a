/** Applies the administrator's theme and colour to the page. */
import type { PublicSettings } from '#wire/settings.ts'

/** Sets the theme and the accent colour on the root element; without a setting, those of the style sheet apply. */
export function applyBranding({ Theme, Color }: Pick<PublicSettings, 'Theme' | 'Color'>): void {
  const root = document.documentElement
  if (Theme) root.dataset.theme = Theme
  else delete root.dataset.theme
  if (Color) root.style.setProperty('--brand', Color)
  else root.style.removeProperty('--brand')
}
