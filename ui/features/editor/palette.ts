/** The editor colours that the user chose, as custom properties of the surrounding element. */
import type { CSSProperties } from 'react'
import { editorThemeOf } from '#ui/lib/text/editor-themes.ts'
import { PALETTES, PARTS } from './palettes.ts'

/** The colour of this part is also used for links. */
const LINKS: (typeof PARTS)[number] = 'name'

/**
 * @param stored the theme in the account, such as `ace/theme/dracula`
 * @returns the style of the theme; undefined if it is empty or unknown: then the colours of the page apply
 */
export function paletteStyle(stored: string): CSSProperties | undefined {
  const theme = editorThemeOf(stored)
  const colours = theme && PALETTES[theme.name]?.split(' ')
  if (!colours) return undefined
  const properties = PARTS.map((part, index) => [`--code-${part}`, `#${colours[index]}`])
  const link = colours[PARTS.indexOf(LINKS)]
  return {
    ...Object.fromEntries(properties),
    '--code-link': `#${link}`,
    // Parts without a colour in the theme (search matches, tooltips) use defaults for its background.
    colorScheme: theme.dark ? 'dark' : 'light',
  }
}
