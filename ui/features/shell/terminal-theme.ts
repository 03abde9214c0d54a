/** The colours of the terminal, from the design tokens of the page. */
import type { ITheme } from '@xterm/xterm'

/** The sixteen colours of ECMA-48 in their order, by the names of the library. */
const COLORS = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const satisfies readonly (keyof ITheme)[]

/** The computed tokens at `host` in the current theme. */
export function themeOf(host: HTMLElement): ITheme {
  const element = document.createElement('i')
  host.append(element)
  const style = getComputedStyle(element)
  const color = (token: string) => {
    element.style.color = `var(${token})`
    return style.color
  }
  const theme: ITheme = {
    background: color('--shell-fill'),
    foreground: color('--text'),
    cursor: color('--text'),
    cursorAccent: color('--shell-fill'),
    selectionBackground: color('--accent-soft-2'),
    selectionInactiveBackground: color('--accent-soft-2'),
    scrollbarSliderBackground: color('--shell-scrollbar'),
    scrollbarSliderHoverBackground: color('--line-control'),
    scrollbarSliderActiveBackground: color('--line-control'),
    ...Object.fromEntries(COLORS.map((name, index) => [name, color(`--ansi-${index}`)])),
  }
  element.remove()
  return theme
}

/**
 * Calls `changed` if the theme of the system or of the page has changed.
 *
 * @returns a function that stops it
 */
export function watchTheme(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const page = new MutationObserver(changed)
  dark.addEventListener('change', changed)
  page.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'style'],
  })
  return () => {
    dark.removeEventListener('change', changed)
    page.disconnect()
  }
}
