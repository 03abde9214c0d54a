/** Detects the encoding of a text; one that is not Unicode is guessed by its bytes and by the languages of the user. */

/** The bytes that are looked at. */
const SAMPLE_BYTES = 65_536
/** A guess that is no Latin encoding must have this part of plausible characters. */
const PLAUSIBLE = 0.75
/** What an encoding of the user's languages is worth. */
const OWN_LANGUAGE = 0.1

/** The decoder's replacement for invalid bytes. A valid file may also contain this character itself. */
export const REPLACEMENT = '\uFFFD'

interface Profile {
  encoding: string
  /** The main parts of language tags: the texts that have this encoding. */
  languages: readonly string[]
  /** The part of the characters beyond ASCII that are plausible, from 0 to 1. */
  scoreOf(text: string, bytes: Uint8Array): number
}

/** In the order in which equal scores decide. */
const PROFILES: readonly Profile[] = [
  { encoding: 'shift_jis', languages: ['ja'], scoreOf: japanese },
  { encoding: 'euc-jp', languages: ['ja'], scoreOf: japanese },
  {
    encoding: 'euc-kr',
    languages: ['ko'],
    scoreOf: (text) => ofScript(text, /\p{Script=Hangul}/u),
  },
  { encoding: 'gb18030', languages: ['zh-cn', 'zh'], scoreOf: commonLead(0xb0, 0xd7) },
  { encoding: 'big5', languages: ['zh-tw', 'zh-hk'], scoreOf: commonLead(0xa4, 0xc6) },
  // Before Cyrillic: its letters are small Cyrillic ones, among which some are missing.
  {
    encoding: 'windows-1255',
    languages: ['he'],
    scoreOf: (text) => ofScript(text, /[\u05d0-\u05ea]/),
  },
  { encoding: 'windows-1251', languages: ['ru', 'uk', 'bg'], scoreOf: cyrillic },
  { encoding: 'koi8-u', languages: ['ru', 'uk'], scoreOf: cyrillic },
  { encoding: 'ibm866', languages: ['ru'], scoreOf: cyrillic },
  {
    encoding: 'windows-1253',
    languages: ['el'],
    scoreOf: (text) => ofScript(text, /\p{Script=Greek}/u),
  },
  {
    encoding: 'windows-1256',
    languages: ['ar'],
    scoreOf: (text) => ofScript(text, /\p{Script=Arabic}/u),
  },
  { encoding: 'windows-1250', languages: ['pl', 'cs', 'sk', 'hu', 'ro'], scoreOf: latin },
  { encoding: 'windows-1254', languages: ['tr'], scoreOf: latin },
  { encoding: 'windows-1258', languages: ['vi'], scoreOf: latin },
]

export interface Detected {
  /** A label of the Encoding standard. */
  encoding: string
  /** Whether it is only probable. */
  isGuess: boolean
  /** Whether the bytes are valid UTF-8. */
  isValid: boolean
}

/**
 * Detects the encoding of a text by its byte order mark, or else by its content.
 *
 * @param languages the tags of the user's languages, the preferred one first
 */
export function detectEncoding(bytes: Uint8Array, languages: readonly string[]): Detected {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return certain('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return certain('utf-16be')
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { ...certain('utf-8'), isValid: true }
  } catch {
    if (hasByteOrderMark(bytes) || isDamagedUtf8(bytes)) return certain('utf-8')
    return { encoding: guessEncoding(bytes, languages), isGuess: true, isValid: false }
  }
}

function certain(encoding: string): Detected {
  return { encoding, isGuess: false, isValid: false }
}

/** Text in another encoding has hardly any characters that are valid in UTF-8 by chance. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const damaged = countOf(text, REPLACEMENT)
  const valid = (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) - damaged
  return valid >= damaged && valid > 0
}

/** @param encoding a label of the Encoding standard */
export function decoderOf(encoding: string, options?: { fatal: boolean }): TextDecoder {
  // The runtime knows all labels of the standard; its types name a few of them.
  return new TextDecoder(encoding as ConstructorParameters<typeof TextDecoder>[0], options)
}

export function countOf(text: string, part: string): number {
  return text.split(part).length - 1
}

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/**
 * @param languages the tags of the user's languages, the preferred one first
 * @returns windows-1252, which decodes any bytes, if nothing else is plausible
 */
export function guessEncoding(bytes: Uint8Array, languages: readonly string[]): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const [preferred = ''] = languages
  let best = { encoding: 'windows-1252', score: PLAUSIBLE }
  for (const { encoding, languages: own, scoreOf } of PROFILES) {
    const text = decode(sample, encoding)
    if (text === undefined) continue
    const bonus = isOneOf(preferred, own) ? OWN_LANGUAGE : 0
    const score = scoreOf(text, sample) + bonus
    if (score > best.score) best = { encoding, score }
  }
  return best.encoding
}

function isOneOf(tag: string, languages: readonly string[]): boolean {
  const lower = tag.toLowerCase()
  return languages.some((one) => lower === one || (one !== 'zh' && lower.startsWith(`${one}-`)))
}

/** @returns undefined if the bytes are not valid in the encoding; a character that the sample cuts is left out */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return decoderOf(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Characters beyond ASCII that follow each other. */
const RUNS = /[^\p{ASCII}]+/gu
const LATIN_LETTER = /[A-Za-z]/
const LETTER = /\p{L}/u
/** Punctuation that every language uses. */
const COMMON =
  /[\u00a0\u00ab\u00b0\u00bb\u2010-\u2026\u2030\u20ac\u2116\u3000-\u3011\uff01-\uff5e]/u

/** The part of characters that belong to a script. A letter of another script beside Latin ones is none of a text. */
function ofScript(text: string, script: RegExp): number {
  let [good, all] = [0, 0]
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const isMixed =
      LATIN_LETTER.test(text[index - 1] ?? '') || LATIN_LETTER.test(text[index + run.length] ?? '')
    for (const char of run) {
      if (COMMON.test(char)) continue
      all += 1
      if (!isMixed && script.test(char)) good += 1
    }
  }
  return all === 0 ? 0 : good / all
}

/** Words in which capital letters follow small ones are those of another encoding. */
function cyrillic(text: string): number {
  const turned = text.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0
  const letters = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0
  return ofScript(text, /\p{Script=Cyrillic}/u) - (letters === 0 ? 0 : (2 * turned) / letters)
}

/** Japanese has kana; half-width ones are typical of other encodings. */
function japanese(text: string): number {
  const kana = text.match(/[\u3041-\u30fe]/gu)?.length ?? 0
  const all = text.match(/[^\p{ASCII}]/gu)?.length ?? 0
  const isJapanese = kana > 0.15 * all
  return isJapanese ? ofScript(text, /[\u3041-\u30fe\u4e00-\u9fff]/u) : 0
}

/** Of Chinese characters, the common ones come first in both encodings: their first bytes are in a range. */
function commonLead(first: number, last: number): Profile['scoreOf'] {
  return (text, bytes) => {
    let [common, pairs] = [0, 0]
    for (let at = 0; at < bytes.length; at += 1) {
      const lead = bytes[at] ?? 0
      if (lead < 0x80) continue
      // Punctuation is before the characters.
      if (lead > 0xa3) pairs += 1
      if (lead >= first && lead <= last) common += 1
      at += 1
    }
    const share = pairs === 0 ? 0 : common / pairs
    return Math.min(share, ofScript(text, /\p{Script=Han}/u))
  }
}

/** Letters with accents are inside of words. Latin encodings differ so little that only the language decides. */
function latin(text: string): number {
  let [good, all] = [0, 0]
  for (const char of text.match(/[^\p{ASCII}]/gu) ?? []) {
    all += 1
    if (LETTER.test(char) || COMMON.test(char)) good += 1
  }
  return all === 0 ? 0 : PLAUSIBLE * (good / all) - OWN_LANGUAGE / 2
}
