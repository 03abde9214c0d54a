/** The colours of the browser window around the page: the configured colour, or the background of the page. */
import type { PublicSettings } from '#wire/api/settings.ts'
import { mediaOfWindow, WINDOW_THEMES } from '#wire/api/window-theme.ts'

/** `--canvas` of ui/styles/tokens.css in sRGB; both change together. */
const CANVAS = { light: '#f5f6f7', dark: '#0d0f13' } as const

/** The background before styles are loaded, for the app manifest; light if the system decides. */
export function backgroundOf({ Theme }: Pick<PublicSettings, 'Theme'>): string {
  return CANVAS[Theme || 'light']
}

/** A colour, and the media query under which it applies; empty for always. */
export interface WindowColor {
  color: string
  media: string
}

/**
 * The configured colour; otherwise the background colours of both themes, of which the interface enables the one of the
 * theme that the user chose (ui/lib/page/branding.ts).
 */
export function windowColors({
  Color,
  Theme,
}: Pick<PublicSettings, 'Color' | 'Theme'>): WindowColor[] {
  if (Color) return [{ color: Color, media: '' }]
  return WINDOW_THEMES.map((theme) => ({
    color: CANVAS[theme],
    media: mediaOfWindow(theme, Theme),
  }))
}
