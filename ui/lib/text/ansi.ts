/**
 * Parses the output of a program into styled text: colour codes are applied, every other escape sequence is dropped.
 * Pure.
 */
import { ON_DEMAND_LIMITS } from '../on-demand-limits.ts'

/** The style of a piece of text. Colours are the sixteen of ECMA-48 (eight and their bright variants), by number. */
export interface TextStyle {
  color?: number | undefined
  fill?: number | undefined
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  strike?: boolean
  /** Text and background colour are swapped. */
  inverse?: boolean
}

export type AnsiToken =
  | { type: 'text'; text: string; style: TextStyle }
  | { type: 'newLine' }
  /** A carriage return: the text after this token overwrites the current line. */
  | { type: 'lineStart' }

/**
 * @returns a parser for one stream, to be called with its chunks in order. The beginning of an escape sequence at the
 * end of a chunk is kept until the next chunk completes it.
 */
export function ansiReader(): (chunk: string) => AnsiToken[] {
  let style: TextStyle = {}
  let unparsed = ''
  return (chunk) => {
    const text = unparsed + chunk
    unparsed = unfinished(text)
    const tokens: AnsiToken[] = []
    for (const { 0: part, groups } of text
      .slice(0, text.length - unparsed.length)
      .matchAll(PARTS)) {
      if (groups?.codes !== undefined) style = restyled(style, codesIn(groups.codes))
      else if (part.startsWith(ESC)) continue
      else if (part === '\r') tokens.push({ type: 'lineStart' })
      else if (part.endsWith('\n')) tokens.push({ type: 'newLine' })
      else {
        const shown = withoutControls(part)
        if (shown !== '') tokens.push({ type: 'text', text: shown, style })
      }
    }
    return tokens
  }
}

const ESC = '\u001b'
const BEL = '\u0007'

/** ECMA-48 section 5.4: `ESC [`, parameters, intermediates, a final letter. */
const CSI = `${ESC}\\[[0-?]*[ -/]*[@-~]`
/** Titles, links and similar sequences, up to their terminator. */
const STRING = `${ESC}[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`
/** Sequences of one or a few characters after `ESC`. */
const OTHER = `${ESC}(?:[ -/]+[0-~]|[0-OQ-WYZ\\\\\`-~])?`
/** Splits a text into escape sequences, line breaks, and the text between them. */
const PARTS = new RegExp(
  `${ESC}\\[(?<codes>[0-9;:]*)m|${CSI}|${STRING}|${OTHER}|\\r*\\n|\\r|[^${ESC}\\r\\n]+`,
  'g',
)
/** The beginning of an escape sequence, or of a line break, at the end of a chunk. */
const UNFINISHED = new RegExp(
  `(?:${ESC}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^${BEL}${ESC}]*${ESC}?|[ -/]*)|\\r+)$`,
)

/** @returns the unfinished sequence at the end of the text; empty if there is none */
function unfinished(text: string): string {
  const [tail = ''] = UNFINISHED.exec(text) ?? []
  return tail.length > ON_DEMAND_LIMITS.escapeMaxChars ? '' : tail
}

const STRUCK_OVER = /[^\b][\b]/g
/** All control characters of Unicode except the tab. */
const CONTROLS = /(?!\t)\p{Cc}/gu

/**
 * Removes control characters. Programs write bold and underlined letters by overstriking: character, backspace,
 * character. Of those only the last character stays.
 */
function withoutControls(text: string): string {
  return text.replace(STRUCK_OVER, '').replace(CONTROLS, '')
}

/** The parameters in order; sub-parameters (`38:2::r:g:b`) are read as if they were separated by `;`. */
function codesIn(text: string): number[] {
  return text.split(';').flatMap((parameter) => {
    const parts = parameter.split(':').map(Number)
    const [code = 0, kind] = parts
    if (parts.length === 1) return parts
    if (code === 4) return [kind === 0 ? 24 : 4]
    return kind === 2 ? [code, kind, ...parts.slice(-3)] : parts
  })
}

/** @returns the style after the colour codes of one escape sequence */
function restyled(before: TextStyle, codes: readonly number[]): TextStyle {
  let style = before
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0
    if (code === 0) {
      style = {}
    } else if (code === 38 || code === 48 || code === 58) {
      const { color, length } = parseColor(codes.slice(index + 1))
      if (code !== 58) style = { ...style, [code === 38 ? 'color' : 'fill']: color }
      index += length
    } else {
      style = { ...style, ...CHANGES[code], ...plainColor(code) }
    }
  }
  return style
}

/** The effect of each code that needs no further parameters. */
const CHANGES: Record<number, TextStyle> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { color: undefined },
  49: { fill: undefined },
}

/** The effect of the codes for the sixteen colours: 30–37, 40–47, 90–97 and 100–107. */
function plainColor(code: number): TextStyle {
  const color = code % 10
  if (color > 7) return {}
  const tens = Math.floor(code / 10)
  if (tens === 3) return { color }
  if (tens === 4) return { fill: color }
  if (tens === 9) return { color: color + 8 }
  if (tens === 10) return { fill: color + 8 }
  return {}
}

/** Parses the colour after 38, 48 or 58: `5;N` or `2;R;G;B`. `length`: the number of parameters that were read. */
function parseColor([kind, ...values]: readonly number[]): {
  color: number | undefined
  length: number
} {
  const [first = 0, second = 0, third = 0] = values
  if (kind === 5) return { color: paletteColor(first), length: 2 }
  if (kind === 2) return { color: nearest(first, second, third), length: 4 }
  return { color: undefined, length: kind === undefined ? 0 : 1 }
}

/** A colour of the 256-colour palette as one of the sixteen. The palette: the sixteen, a cube of six steps, greys. */
function paletteColor(index: number): number {
  if (index < 16) return index
  if (index >= 232) return grey(8 + 10 * (index - 232))
  const step = (size: number) => CUBE[Math.floor((index - 16) / size) % 6] ?? 0
  return nearest(step(36), step(6), step(1))
}

/** The intensities of the six steps of the colour cube. */
const CUBE = [0, 95, 135, 175, 215, 255]

/** The nearest of the sixteen colours, which each theme defines so that they are readable. An exact shade is not. */
function nearest(red: number, green: number, blue: number): number {
  const maximum = Math.max(red, green, blue)
  const minimum = Math.min(red, green, blue)
  if (maximum - minimum < 40) return grey((maximum + minimum) / 2)
  const middle = (maximum + minimum) / 2
  const hue = Number(red > middle) + 2 * Number(green > middle) + 4 * Number(blue > middle)
  return hue + (maximum > 170 ? 8 : 0)
}

function grey(value: number): number {
  if (value < 64) return 0
  if (value < 128) return 8
  return value < 200 ? 7 : 15
}
