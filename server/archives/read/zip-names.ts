/**
 * The names in a zip. Without a flag for UTF-8 they are in the encoding of the system that made it, which the zip does not
 * say; APPNOTE.TXT D.1 says code page 437.
 */
import type { NameEncoding } from '#wire/name-encodings.ts'
import { hasEscapes, nameOfBytes } from '#wire/names.ts'

/** A name as it is in the directory. */
export interface RawName {
  bytes: Buffer
  /** The zip says that it is UTF-8. */
  isUnicode: boolean
  /** Made by a program for Windows or DOS. */
  isDos: boolean
}

/** What all names of a zip have in common. */
export interface NameSurvey {
  /** A name in which no encoding is given is not UTF-8. */
  hasOtherBytes: boolean
  hasSlash: boolean
}

export function emptySurvey(): NameSurvey {
  return { hasOtherBytes: false, hasSlash: false }
}

export function addToSurvey(survey: NameSurvey, { bytes, isUnicode, isDos }: RawName): void {
  survey.hasSlash ||= bytes.includes('/')
  survey.hasOtherBytes ||= isDos && !isUnicode && hasEscapes(nameOfBytes(bytes))
}

/**
 * Decodes a name. With an encoding, all names without a flag have it. Otherwise they stay as they are, except for those of
 * Windows and DOS, which are in code page 437 if one of them is not UTF-8. A zip of Windows without any slash has
 * backslashes in place of them.
 *
 * @returns the name in UTF-8; bytes that are neither are as in the zip
 */
export function decodedName(
  { bytes, isUnicode, isDos }: RawName,
  survey: NameSurvey,
  encoding: NameEncoding | undefined,
): Uint8Array {
  const guessed = isDos && survey.hasOtherBytes ? 'cp437' : 'utf-8'
  const used = isUnicode ? 'utf-8' : (encoding ?? guessed)
  const name = used === 'utf-8' ? bytes : Buffer.from(DECODERS[used](bytes))
  if (!isDos || survey.hasSlash) return name
  // Not before the name is decoded: a letter of Shift JIS may contain this byte.
  return name.map((byte) => (byte === BACKSLASH ? SLASH : byte))
}

const [BACKSLASH, SLASH] = [0x5c, 0x2f]

/** The upper half of code page 437. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const DECODERS: Record<Exclude<NameEncoding, 'utf-8'>, (bytes: Uint8Array) => string> = {
  cp437: (bytes) =>
    Array.from(bytes, (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : (CP437[byte - 0x80] ?? ''),
    ).join(''),
  cp866: decoderOf('ibm866'),
  cp1251: decoderOf('windows-1251'),
  gbk: decoderOf('gbk'),
  big5: decoderOf('big5'),
  shift_jis: decoderOf('shift_jis'),
  'euc-kr': decoderOf('euc-kr'),
}

function decoderOf(label: 'ibm866' | 'windows-1251' | 'gbk' | 'big5' | 'shift_jis' | 'euc-kr') {
  return (bytes: Uint8Array) => new TextDecoder(label).decode(bytes)
}
