/**
 * Converts file names between bytes and text. POSIX names are bytes, usually UTF-8. Each byte that is not part of a
 * UTF-8 character becomes one character from U+EF80 to U+EFFF (its low seven bits), so that every name has exactly
 * one text, which survives JSON and URLs.
 *
 * If a name contains one of these characters in UTF-8, the three bytes of the character are converted one by one too. So
 * no two names have the same text, and rules cannot be bypassed by another spelling.
 */

const FIRST_ESCAPE = 0xef80
const ESCAPES = /[\uef80-\uefff]/
const EVERY_ESCAPE = /[\uef80-\uefff]/g

/** If the result contains U+FFFD, some byte may not be part of a character. */
const REPLACEMENT = '\ufffd'
/** The first bytes of every escape in UTF-8: EE BE or EE BF. */
const [ESCAPE_LEAD, ESCAPE_SECOND] = [0xee, 0xbe]

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Whether a text contains escapes: its name is not UTF-8, or contains one of these characters in UTF-8. */
export function hasEscapes(text: string): boolean {
  return ESCAPES.test(text)
}

/** Whether bytes may contain such names. It is much faster than a search in their text. */
export function mayHaveEscapes(bytes: Uint8Array): boolean {
  return bytes.includes(ESCAPE_LEAD)
}

/**
 * @returns the bytes of a name. A lone surrogate, which no name contains, becomes U+FFFD. It uses no regular expression,
 *   because their compiled code is not available in a process forked with clone(2).
 */
export function bytesOfName(text: string): Uint8Array {
  const encoded = encoder.encode(text)
  if (!mayHaveEscapes(encoded)) return encoded
  const bytes = new Uint8Array(encoded.length)
  let length = 0
  for (let index = 0; index < encoded.length; index += 1) {
    if (isEscape(encoded, index)) {
      bytes[length] = 0x80 | (bitsOf(encoded, index + 1) << 6) | bitsOf(encoded, index + 2)
      index += 2
    } else bytes[length] = encoded[index] ?? 0
    length += 1
  }
  return bytes.slice(0, length)
}

/** @returns the text of a name. It throws no exceptions internally, because one for each byte would be too slow. */
export function nameOfBytes(bytes: Uint8Array): string {
  const decoded = decoder.decode(bytes)
  if (!decoded.includes(REPLACEMENT) && !hasEscapes(decoded)) return decoded
  let text = ''
  let begin = 0
  for (let offset = 0; offset < bytes.length; ) {
    const length = characterLength(bytes, offset)
    if (length > 0 && !isEscape(bytes, offset)) {
      offset += length
      continue
    }
    text += decoder.decode(bytes.subarray(begin, offset))
    text += String.fromCharCode(FIRST_ESCAPE | ((bytes[offset] ?? 0) & 0x7f))
    offset += 1
    begin = offset
  }
  return text + decoder.decode(bytes.subarray(begin))
}

/** @returns the canonical text: that of its bytes */
export function canonicalName(text: string): string {
  return hasEscapes(text) ? nameOfBytes(bytesOfName(text)) : text
}

/**
 * A name for display, or for formats that need UTF-8: other bytes become hexadecimal digits.
 *
 * @param mark precedes the digits: `caf\xE9`
 */
export function displayName(text: string, mark = '\\x'): string {
  return text.replace(EVERY_ESCAPE, (character) => {
    const byte = 0x80 | (character.charCodeAt(0) & 0x7f)
    return `${mark}${byte.toString(16).toUpperCase()}`
  })
}

/** Length of the UTF-8 character that starts at a byte; 0 if it is invalid (RFC 3629 section 4). */
function characterLength(bytes: Uint8Array, offset: number): number {
  const lead = bytes[offset] ?? 0
  if (lead < 0x80) return 1
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  for (let next = offset + 1; next < offset + length; next += 1) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  }
  const second = bytes[offset + 1] ?? 0
  // Overlong, a surrogate, or beyond U+10FFFF.
  const isInvalid =
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f)
  return isInvalid ? 0 : length
}

/** Whether an escape in UTF-8 starts at a byte. */
function isEscape(bytes: Uint8Array, offset: number): boolean {
  return (
    bytes[offset] === ESCAPE_LEAD &&
    ((bytes[offset + 1] ?? 0) | 1) === (ESCAPE_SECOND | 1) &&
    ((bytes[offset + 2] ?? 0) & 0xc0) === 0x80
  )
}

/** The payload bits of a continuation byte. */
function bitsOf(bytes: Uint8Array, offset: number): number {
  return (bytes[offset] ?? 0) & 0x3f
}
