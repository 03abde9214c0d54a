/** The theme, light or dark: the user's choice, else the default of the server. */
import { applyBranding } from '#ui/lib/page/branding.ts'
import { settings } from '../session/settings.ts'
import { layout } from './layout.ts'

/** `system`: the theme of the operating system. */
export const THEME_CHOICES = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEME_CHOICES)[number]

/** @returns the active theme */
export function activeTheme(): ThemeChoice {
  return layout.theme ?? (settings.Theme || 'system')
}

export function chooseTheme(theme: ThemeChoice): void {
  layout.theme = theme
  applyTheme()
}

/** Applies the theme and the accent colour to the page. */
export function applyTheme(): void {
  const theme = activeTheme()
  applyBranding({ Theme: theme === 'system' ? '' : theme, Color: settings.Color })
}
