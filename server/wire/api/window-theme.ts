/** The two `theme-color` elements of the page, one for each theme: their order, and when each applies. */
import type { Theme } from './settings.ts'

export const WINDOW_THEMES = ['light', 'dark'] as const

/**
 * @param chosen the theme of the page; empty if the system decides
 * @returns the media query under which the element of `theme` applies
 */
export function mediaOfWindow(theme: (typeof WINDOW_THEMES)[number], chosen: Theme): string {
  if (chosen === '') return `(prefers-color-scheme: ${theme})`
  return chosen === theme ? 'all' : 'not all'
}
