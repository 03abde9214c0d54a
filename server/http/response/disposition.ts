/** The header `Content-Disposition` (RFC 6266): whether a browser displays or saves a response, and under which name. */
import { displayName } from '#wire/names.ts'

/**
 * The name twice: `filename*` in UTF-8, encoded by RFC 8187, and before it `filename` in ASCII for clients that do not
 * know the other, such as curl. No character of a name can end the header.
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  // Most names need no work.
  if (/^[\w-][\w.-]*$/.test(name)) return `${kind}; filename="${name}"; filename*=utf-8''${name}`
  const shown = displayName(name, '%').toWellFormed()
  const encoded = encodeURIComponent(shown).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${asciiName(shown)}"; filename*=utf-8''${encoded}`
}

/**
 * The name in ASCII, without what clients decode or read as a path: quotes, slashes, and `%` with two digits (RFC 6266
 * appendix D). Letters lose their marks, and any other character becomes `_`.
 */
function asciiName(name: string): string {
  const ascii = name
    .replace(/[\ud800-\udbff][\udc00-\udfff]|[^\x20-\x7e]/g, withoutMark)
    .replace(/["/\\]|%(?=[0-9a-fA-F]{2})/g, '_')
  // The marks may have been all that distinguishes it from the name of a folder, or from nothing.
  return /^(?: *|\.\.?)$/.test(ascii) ? ascii.replaceAll(/[ .]/g, '_') || '_' : ascii
}

/** @returns the ASCII letter of a character that is not ASCII; `_` if it has none */
function withoutMark(character: string): string {
  if (character >= '\u0300' && character <= '\u036f') return ''
  const letter = character.normalize('NFD').charAt(0)
  return letter >= ' ' && letter <= '~' ? letter : '_'
}
