/** The colours that a person chose for the editor, as custom properties of the element around it. */
import type { CSSProperties } from 'react'
import { editorThemeOf } from '#ui/lib/editor-themes.ts'
import { PALETTES, PARTS } from './palettes.ts'

/** What draws other tokens too, beside the part of its own name. */
const LINKS: (typeof PARTS)[number] = 'name'

/**
 * The style of the theme an account names.
 *
 * @returns undefined where none is named, or one that nobody knows: the page's own colours, which
 * follow light and dark
 */
export function paletteStyle(stored: string): CSSProperties | undefined {
  const theme = editorThemeOf(stored)
  const colours = theme && PALETTES[theme.name]?.split(' ')
  if (!colours) return undefined
  const properties = PARTS.map((part, at) => [`--code-${part}`, `#${colours[at]}`])
  const link = colours[PARTS.indexOf(LINKS)]
  return {
    ...Object.fromEntries(properties),
    '--code-link': `#${link}`,
    // What the theme says nothing of (search marks, tooltips) is drawn for its ground.
    colorScheme: theme.dark ? 'dark' : 'light',
  }
}
