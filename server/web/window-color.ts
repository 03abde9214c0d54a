/** The colours of the browser window around the page: the configured colour, or the background of the page. */
import type { PublicSettings, Theme } from '#wire/settings.ts'

/** `--canvas` of ui/styles/tokens.css in sRGB; both change together. */
const CANVAS = { light: '#f5f6f7', dark: '#0d0f13' } as const

/** The background before styles are loaded, for the app manifest; light if the system decides. */
export function backgroundOf({ Theme }: Pick<PublicSettings, 'Theme'>): string {
  return CANVAS[Theme || 'light']
}

/** A colour, and the system theme it applies to; undefined for both. */
export interface WindowColor {
  color: string
  theme: Theme | undefined
}

/** The configured colour; otherwise the background colours of the possible themes. */
export function windowColors({ Color, Theme }: Pick<PublicSettings, 'Color' | 'Theme'>) {
  const colors: WindowColor[] = Color
    ? [{ color: Color, theme: undefined }]
    : Theme
      ? [{ color: CANVAS[Theme], theme: undefined }]
      : [
          { color: CANVAS.light, theme: 'light' },
          { color: CANVAS.dark, theme: 'dark' },
        ]
  return colors
}
