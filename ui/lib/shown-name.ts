/** Names as people see them. */
import { displayName, hasEscapes } from '#wire/names.ts'

/** A name's text for eyes, with the bytes that are not UTF-8 as `\xE9`. */
export function shownName(name: string): { text: string; isUtf8: boolean } {
  return { text: displayName(name), isUtf8: !hasEscapes(name) }
}
