/** The colours of the browser window are those of the page. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backgroundOf } from '#server/web/window-color.ts'
import { REPO_ROOT } from '../../support/server/executable.ts'

const tokens = readFileSync(join(REPO_ROOT, 'ui/styles/tokens.css'), 'utf8')

test.each([
  ['light', 1],
  ['dark', 2],
] as const)(
  'the background of the %s theme is the canvas of the style sheet in sRGB',
  (theme, group) => {
    const grey = tokens.match(/--canvas: light-dark\(var\((--[\w-]+)\), var\((--[\w-]+)\)\)/)?.[
      group
    ]
    const [l, c, h] = (tokens.match(`${grey}: oklch\\(([^)]*)\\)`)?.[1] ?? '')
      .split(' ')
      .map(Number)
    expect(backgroundOf({ Theme: theme })).toBe(hexOf(l ?? 0, c ?? 0, h ?? 0))
  },
)

/** Converts OKLCH to sRGB (CSS Color Module Level 4, section 10). */
function hexOf(lightness: number, chroma: number, hueDegrees: number): string {
  const hue = (hueDegrees * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const bytes = linear.map((value) =>
    Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)),
  )
  return `#${Buffer.from(bytes).toString('hex')}`
}
