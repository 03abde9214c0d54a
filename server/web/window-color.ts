/** Colours of the window around the page, which no style sheet reaches. They are those of the canvas. */
import type { PublicSettings, Theme } from '#wire/settings.ts'

const CANVAS = { light: '#f5f6f7', dark: '#0d0f12' } as const

/** The canvas before any style is there; light where the system decides. */
export function backgroundOf({ Theme }: Pick<PublicSettings, 'Theme'>): string {
  return CANVAS[Theme || 'light']
}

/** A colour of the window, and the system's theme it is for; undefined is for both. */
export interface WindowColor {
  color: string
  theme: Theme | undefined
}

/** The operator's colour; without one, that of the canvas in each theme there can be. */
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
