import { expect, test } from 'bun:test'
import '../../browser.ts'
import { paletteStyle } from '#ui/features/editor/palette.ts'
import { PALETTES, PARTS } from '#ui/features/editor/palettes.ts'
import { EDITOR_THEMES, editorThemeOf, storedThemeOf } from '#ui/lib/text/editor-themes.ts'

/** WCAG AA for text. */
const READABLE = 4.5

/** Parts that are no text: backgrounds and the cursor. */
const WITHOUT_CONTRAST = ['fill', 'selection', 'active', 'cursor']

test('a theme is found by its name with and without `ace/theme/`, and is stored with it', () => {
  expect(editorThemeOf('ace/theme/dracula')?.label).toBe('Dracula')
  expect(editorThemeOf('dracula')?.label).toBe('Dracula')
  expect(storedThemeOf('dracula')).toBe('ace/theme/dracula')
  expect(storedThemeOf('')).toBe('')
})

test.each(['', 'nobody-knows-it', 'ace/theme/', '__proto__'])(
  'the theme %p uses the colours of the page',
  (stored) => {
    expect(paletteStyle(stored)).toBeUndefined()
  },
)

test('a theme has its colours and its colour scheme', () => {
  expect(paletteStyle('dracula')).toMatchObject({ '--code-fill': '#282a36', colorScheme: 'dark' })
  expect(paletteStyle('ace/theme/chrome')).toMatchObject({ colorScheme: 'light' })
})

test.each(EDITOR_THEMES.map(({ name }) => name))(
  'the theme %s has all colours, and its text is readable',
  (name) => {
    const colours = PALETTES[name]?.split(' ') ?? []
    expect(colours).toHaveLength(PARTS.length)
    const [fill = '', active = ''] = [PARTS.indexOf('fill'), PARTS.indexOf('active')].map(
      (at) => colours[at],
    )
    const textColours = colours.filter((_, at) => !WITHOUT_CONTRAST.includes(PARTS[at] ?? ''))
    for (const colour of textColours) {
      expect(contrast(colour, fill)).toBeGreaterThanOrEqual(READABLE)
      expect(contrast(colour, active)).toBeGreaterThanOrEqual(READABLE)
    }
  },
)

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
