/** Light or dark: as the person chose in this browser, else as the instance says. */
import { applyBranding } from '#ui/lib/branding.ts'
import { layout } from './layout.ts'
import { settings } from './settings.ts'

/** `system`: as the device is. */
export const THEME_CHOICES = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEME_CHOICES)[number]

/** What is in force. */
export function themeInForce(): ThemeChoice {
  return layout.theme ?? (settings.Theme || 'system')
}

export function chooseTheme(theme: ThemeChoice): void {
  layout.theme = theme
  applyTheme()
}

/** Puts theme and colour on the page. */
export function applyTheme(): void {
  const theme = themeInForce()
  applyBranding({ Theme: theme === 'system' ? '' : theme, Color: settings.Color })
}
