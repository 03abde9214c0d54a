/** Decodes bytes to text, and detects whether encoding gives the same bytes. */

export interface DecodedText {
  text: string
  /** A label of the Encoding standard. */
  encoding: string
  /** Whether the bytes began with a byte order mark, which the text omits. */
  hasMark: boolean
  /** Whether encoding the text as UTF-8 gives the same bytes. */
  isLossless: boolean
}

const MARK = '\uFEFF'
/** The decoder's replacement for invalid bytes. A valid file may also contain this character itself. */
const REPLACEMENT = '\uFFFD'
/** The default of old Windows programs, which can decode any bytes. */
const FALLBACK_ENCODING = 'windows-1252'

/**
 * Checks a text that the server has decoded, by the size of the file.
 *
 * @returns the text without its byte order mark; undefined if the bytes were not valid UTF-8, so that the text alone
 *   cannot restore them
 */
export function asUtf8Text(text: string, sizeBytes: number): DecodedText | undefined {
  if (text.includes(REPLACEMENT) || utf8Length(text) !== sizeBytes) return undefined
  const hasMark = text.startsWith(MARK)
  return {
    text: hasMark ? text.slice(MARK.length) : text,
    encoding: 'utf-8',
    hasMark,
    isLossless: true,
  }
}

/** Decodes by the byte order mark, else as UTF-8, else as windows-1252. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingOf(bytes)
  const text = new TextDecoder(encoding).decode(bytes)
  const isUtf8 = encoding === 'utf-8'
  return { text, encoding, hasMark: isUtf8 && hasByteOrderMark(bytes), isLossless: isUtf8 }
}

/** The text as it is written to a file. */
export function encodeText(text: string, hasMark: boolean): string {
  return hasMark ? MARK + text : text
}

/**
 * The line ending of a text. A text with mixed endings counts as `\n`: its carriage returns then stay as characters
 * of their lines.
 */
export function lineBreakOf(text: string): '\n' | '\r\n' | '\r' {
  if (!text.includes('\r')) return '\n'
  if (!text.includes('\n')) return '\r'
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? '\n' : '\r\n'
}

/** Detects the encoding by the byte order mark, or else by the content. */
export function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return FALLBACK_ENCODING
  }
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
