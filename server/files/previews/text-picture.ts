/**
 * A picture of the beginning of a text: an SVG page with its first lines. The browser draws it with its own fonts, so
 * the server needs none, and decodes nothing that could be dangerous.
 */

import { printable } from '#server/lib/printable.ts'
import { Fault } from '#wire/fault.ts'
import { decoderOf, guessEncoding } from '#wire/guess-encoding.ts'
import { looksLikeText } from '../file-types.ts'
import type { Thumbnail } from './thumbnails.ts'

/** The part of a file that is read. A page has fewer characters, but some need several bytes. */
export const TEXT_START_BYTES = 4096

/** The page, in units of the drawing. */
const PAGE = 256
const MARGIN = 16
const FONT_SIZE = 9
const LINE_HEIGHT = 12
const COLUMNS = 42
const LINES = 19
const TAB = '    '

/**
 * @param start the first `TEXT_START_BYTES` of the file; the last character may be incomplete
 * @param px width and height of the picture
 * @throws Fault unprocessable if this is no text
 */
export function textPicture(start: Uint8Array, px: number): Thumbnail {
  const lines = linesOf(decodeStart(start)).map((line, index) => {
    return `<text x="${MARGIN}" y="${MARGIN + FONT_SIZE + index * LINE_HEIGHT}">${escapeXml(line)}</text>`
  })
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px}" height="${px}" viewBox="0 0 ${PAGE} ${PAGE}">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<g fill="#3c4043" font-family="ui-monospace,monospace" font-size="${FONT_SIZE}" style="white-space:pre">`,
    ...lines,
    '</g></svg>',
  ]
  return { bytes: Buffer.from(svg.join('')), type: 'image/svg+xml' }
}

/**
 * Old texts are not UTF-8: the bytes tell the probable encoding. A picture is the same for users of all languages.
 *
 * @throws Fault unprocessable if this is no text
 */
export function decodeStart(start: Uint8Array): string {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(start)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(start)
  if (looksLikeText(start)) return new TextDecoder().decode(start, { stream: true })
  if (start.includes(0)) throw new Fault('unprocessable', 'There is no text in this file.')
  return decoderOf(guessEncoding(start, [])).decode(start, { stream: true })
}

/** The lines of the page; long lines are broken. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const characters = Array.from(printable(line.replaceAll('\t', TAB)))
    for (let from = 0; from === 0 || from < characters.length; from += COLUMNS) {
      lines.push(characters.slice(from, from + COLUMNS).join(''))
      if (lines.length === LINES) return lines
    }
  }
  return lines
}

/** Replaces, too, the two characters that XML excludes (XML 1.0, 2.2) and that `printable` leaves. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\ufffe\uffff]/g, '\ufffd')
}
