/** Names as they are displayed. Characters that could disguise a name are made visible. */

import { displayName, hasEscapes } from '#wire/names.ts'
import { UI_LIMITS } from '../limits.ts'

/** Control characters, line ends, zero-width characters, and those that change the text direction (UAX 9). */
const HIDDEN = /[\p{Cc}\u00ad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff]/gu
/** Direction marks: some locales use them in dates, but a name needs none. */
const MARKS = /[\u061c\u200e\u200f]/g
const BLANKS_AT_ENDS = /^\p{Zs}+|\p{Zs}+$/gu

/**
 * The display form of a name: bytes that are not UTF-8 as `\xE9`, a line end as `␊`, a blank at an end as `␣`, and a
 * character that could disguise the extension as `⟨U+202E⟩`.
 */
export function shownName(name: string): { text: string; isUtf8: boolean; isPlain: boolean } {
  const isUtf8 = !hasEscapes(name)
  const text = withoutDisguise(name)
    .replace(MARKS, codeOf)
    .replace(BLANKS_AT_ENDS, (blanks) => blanks.replace(/./gu, symbolOfBlank))
  return { text, isUtf8, isPlain: text === name }
}

/** Letters that look the same when the next one is painted apart from them. */
const SEPARABLE = /^[!-\u024f\u0370-\u058f\u3040-\u9fff\uac00-\ud7a3]{2}$/

/** @returns where the end of a name begins that stays visible when the name is cut; 0 if it cannot be cut there */
export function endOf(name: string): number {
  const { length } = name
  if (length <= UI_LIMITS.shortNameMax) return 0
  const separator = name
    .slice(length - UI_LIMITS.nameEndMax - 1, length - UI_LIMITS.nameEndMin)
    .search(/[\s._–—-][^\s._–—-]*$/)
  if (separator >= 0) return length - UI_LIMITS.nameEndMax + separator
  const end = length - UI_LIMITS.nameEnd
  return SEPARABLE.test(name.slice(end - 1, end + 1)) ? end : 0
}

/** Applies `shownName` to each name of a path. */
export function shownPath(path: string): string {
  return path
    .split('/')
    .map((name) => shownName(name).text)
    .join('/')
}

/**
 * Replaces disguising characters, and bytes that are not UTF-8, in a text that contains a name; everything else stays, also
 * direction marks, because the text may contain a date.
 */
export function withoutDisguise(text: string): string {
  return displayName(text).replace(HIDDEN, symbolOf)
}

/** Unicode's control pictures for the control characters of ASCII, and the code point of all others. */
function symbolOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '\u2421' : codeOf(character)
}

function symbolOfBlank(blank: string): string {
  return blank === ' ' ? '\u2423' : codeOf(blank)
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
