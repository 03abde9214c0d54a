/** Decodes bytes to text, and detects whether encoding gives the same bytes. */
import { countOf, detectEncoding, hasByteOrderMark, REPLACEMENT } from '#wire/guess-encoding.ts'

export interface DecodedText {
  text: string
  /** A label of the Encoding standard. */
  encoding: string
  /** Whether the bytes began with a byte order mark, which the text omits. */
  hasMark: boolean
  /** Whether encoding the text as UTF-8 gives the same bytes. */
  isLossless: boolean
  /** Whether the encoding is only probable: neither the bytes nor the user say it. */
  isGuess: boolean
  /** The number of places at which the bytes are not valid in the encoding. The text has a replacement character there. */
  damaged: number
}

const MARK = '\uFEFF'

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
    isGuess: false,
    damaged: 0,
  }
}

/**
 * Decodes by the byte order mark, else as UTF-8, also if few of the bytes are damaged, else in the probable encoding.
 *
 * @param chosen the encoding that the user has chosen for the text. It is not used for valid UTF-8: the text may have been
 *   saved since.
 */
export function decodeText(bytes: Uint8Array, chosen?: string): DecodedText {
  const detected = detectEncoding(bytes, userLanguages())
  const encoding = detected.isValid ? detected.encoding : (chosen ?? detected.encoding)
  const text = new TextDecoder(encoding).decode(bytes)
  const isUtf8 = encoding === 'utf-8'
  return {
    text,
    encoding,
    hasMark: isUtf8 && hasByteOrderMark(bytes),
    isLossless: isUtf8 && detected.isValid,
    isGuess: chosen === undefined && detected.isGuess,
    damaged: isUtf8 && detected.isValid ? 0 : countOf(text, REPLACEMENT),
  }
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

/** The language of the interface, and then those of the browser. */
function userLanguages(): string[] {
  const page = globalThis.document?.documentElement.lang
  return [...(page ? [page] : []), ...(globalThis.navigator?.languages ?? [])]
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
