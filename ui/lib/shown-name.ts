/** Names as people see them. Whoever named a file may have hidden something in its name: here it is seen. */
import { displayName, hasEscapes } from '#wire/names.ts'

/** Control characters, line ends, characters without width, and those that turn the writing round (UAX 9). */
const HIDDEN = /[\p{Cc}\u00ad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff]/gu
/** Marks of direction: dates of some languages hold them, names have no use for them. */
const MARKS = /[\u061c\u200e\u200f]/g
const BLANKS_AT_ENDS = /^\p{Zs}+|\p{Zs}+$/gu

/**
 * A name's text for eyes: bytes that are not UTF-8 as `\xE9`, a line end as `␊`, a blank at an end as `␣`, and what
 * would disguise the ending as `⟨U+202E⟩`.
 */
export function shownName(name: string): { text: string; isUtf8: boolean; isPlain: boolean } {
  const isUtf8 = !hasEscapes(name)
  const text = withoutDisguise(displayName(name))
    .replace(MARKS, codeOf)
    .replace(BLANKS_AT_ENDS, (blanks) => blanks.replace(/./gu, signOfBlank))
  return { text, isUtf8, isPlain: text === name }
}

/** Each name of a path like `shownName`. */
export function shownPath(path: string): string {
  return path
    .split('/')
    .map((name) => shownName(name).text)
    .join('/')
}

/** Any text that holds a name: what would disguise it is seen, everything else stays. */
export function withoutDisguise(text: string): string {
  return text.replace(HIDDEN, signOf)
}

/** The pictures of Unicode for ASCII's own control characters, the code of all others. */
function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '\u2421' : codeOf(character)
}

function signOfBlank(blank: string): string {
  return blank === ' ' ? '\u2423' : codeOf(blank)
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
