/**
 * Names as bytes and as text. POSIX names are bytes; most are UTF-8, and some are not. Each byte that
 * is no part of a UTF-8 character becomes one character from U+EF80 to U+EFFF (its low seven bits),
 * so that every name has one text and every text one name, and the text survives JSON and URLs.
 *
 * A name that holds one of these characters in UTF-8 is read byte by byte too: no two names share a
 * text, and no rule can be passed by a second spelling.
 */

const FIRST_ESCAPE = 0xef80
const LAST_ESCAPE = 0xefff
const ESCAPES = /[\uef80-\uefff]/
const EVERY_ESCAPE = /[\uef80-\uefff]/g

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether a text stands for a name that is not UTF-8. */
export function hasEscapes(text: string): boolean {
  return ESCAPES.test(text)
}

/** The bytes that a text stands for. A lone surrogate, which no name holds, becomes U+FFFD. */
export function bytesOfName(text: string): Uint8Array {
  if (!hasEscapes(text)) return encoder.encode(text)
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= FIRST_ESCAPE && code <= LAST_ESCAPE) bytes.push(0x80 | (code & 0x7f))
    else bytes.push(...encoder.encode(character))
  }
  return Uint8Array.from(bytes)
}

/** The text of a name, whatever its bytes are. */
export function nameOfBytes(bytes: Uint8Array): string {
  try {
    const text = decoder.decode(bytes)
    if (!hasEscapes(text)) return text
  } catch {
    // Not UTF-8: character by character.
  }
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at)
    text += character ?? String.fromCharCode(FIRST_ESCAPE | ((bytes[at] ?? 0) & 0x7f))
    at += character === undefined ? 1 : encoder.encode(character).length
  }
  return text
}

/** The one spelling of a text: what its bytes are read as. */
export function canonicalName(text: string): string {
  return hasEscapes(text) ? nameOfBytes(bytesOfName(text)) : text
}

/**
 * A name for eyes, and for formats that want UTF-8: each byte that is not as its hexadecimal digits.
 *
 * @param mark stands before the digits: `caf\xE9`
 */
export function displayName(text: string, mark = '\\x'): string {
  return text.replace(EVERY_ESCAPE, (character) => {
    const byte = 0x80 | (character.charCodeAt(0) & 0x7f)
    return `${mark}${byte.toString(16).toUpperCase()}`
  })
}

/** The UTF-8 character that begins at a byte; undefined for none, and for an escape itself. */
function characterAt(bytes: Uint8Array, at: number): string | undefined {
  const lead = bytes[at] ?? 0
  const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (length === 0 || at + length > bytes.length) return undefined
  try {
    const character = decoder.decode(bytes.subarray(at, at + length))
    return hasEscapes(character) ? undefined : character
  } catch {
    return undefined
  }
}
