/** Applies the administrator's theme and colour to the page. */
import type { PublicSettings } from '#wire/api/settings.ts'
import { mediaOfWindow, WINDOW_THEMES } from '#wire/api/window-theme.ts'

/**
 * Sets the theme and the accent colour on the root element, and the theme of the browser window. Without a setting,
 * those of the style sheet apply.
 */
export function applyBranding({ Theme, Color }: Pick<PublicSettings, 'Theme' | 'Color'>): void {
  const root = document.documentElement
  if (Theme) root.dataset.theme = Theme
  else delete root.dataset.theme
  if (Color) root.style.setProperty('--brand', Color)
  else root.style.removeProperty('--brand')
  // With a configured colour there is one element, without a media query.
  const windowColors = document.querySelectorAll('meta[name="theme-color"][media]')
  for (const [index, element] of windowColors.entries()) {
    const theme = WINDOW_THEMES[index]
    if (theme) element.setAttribute('media', mediaOfWindow(theme, Theme))
  }
}
