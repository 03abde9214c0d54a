/** Bytes as text, in a way that gives the same bytes back. */

export interface DecodedText {
  text: string
  /** A label of the Encoding standard. */
  encoding: string
  /** The bytes began with a byte order mark, which the text leaves out. */
  mark: boolean
  /** Whether encoding the text as UTF-8 gives these bytes again. */
  faithful: boolean
}

const MARK = '\uFEFF'
/** Stands for bytes that did not decode, unless the file holds it itself. */
const REPLACEMENT = '\uFFFD'
/** What old Windows programs write, and what never fails to decode. */
const LAST_RESORT = 'windows-1252'

/**
 * What the server's reading of a text file says about its bytes: undefined when they were not clean
 * UTF-8, so that the text alone would not give them back.
 */
export function judgeText(text: string, sizeBytes: number): DecodedText | undefined {
  if (text.includes(REPLACEMENT) || utf8Length(text) !== sizeBytes) return undefined
  const mark = text.startsWith(MARK)
  return { text: mark ? text.slice(MARK.length) : text, encoding: 'utf-8', mark, faithful: true }
}

/** Decodes by the byte order mark, else as UTF-8, else as what old programs write. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingOf(bytes)
  const text = new TextDecoder(encoding).decode(bytes)
  const isUtf8 = encoding === 'utf-8'
  return { text, encoding, mark: isUtf8 && hasMark(bytes), faithful: isUtf8 }
}

/** The text as it goes into a file. */
export function encodeText(text: string, mark: boolean): string {
  return mark ? MARK + text : text
}

/**
 * What ends the lines of a text. A text that mixes them counts as `\n`: its carriage returns are
 * then signs of their lines, and stay where they are.
 */
export function lineBreakOf(text: string): '\n' | '\r\n' | '\r' {
  if (!text.includes('\r')) return '\n'
  if (!text.includes('\n')) return '\r'
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? '\n' : '\r\n'
}

/** The encoding that bytes begin like, or hold. */
export function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return LAST_RESORT
  }
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
