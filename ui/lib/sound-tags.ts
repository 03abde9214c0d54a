/** Reads title, artist, album and cover from the start of an audio file: MP3, FLAC, Ogg and M4A. */
import { mp4Tags } from './mp4-tags.ts'
import type { SoundTags } from './sound-tag-types.ts'

/** Damaged tags are read as far as possible. */
export function readSoundTags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  try {
    if (latin(bytes, 0, 3) === 'ID3') return id3Tags(bytes)
    if (latin(bytes, 0, 4) === 'fLaC') return flacTags(bytes)
    if (latin(bytes, 0, 4) === 'OggS') return oggTags(bytes)
    if (latin(bytes, 4, 4) === 'ftyp') return mp4Tags(bytes)
  } catch {
    // A length in the file leads outside of the bytes that were read.
  }
  return {}
}

type TextTag = 'title' | 'artist' | 'album'

/** Frames of version 2.2 have names of three letters. */
const ID3_TEXTS: Record<string, TextTag> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TT2: 'title',
  TP1: 'artist',
  TAL: 'album',
}

function id3Tags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [version, flags] = [view.getUint8(3), view.getUint8(5)]
  const isShort = version < 3
  const head = isShort ? 6 : 10
  const end = Math.min(bytes.length, 10 + sevenBits(view, 6))
  const hasExtendedHeader = !isShort && (flags & 0x40) !== 0
  const extended = !hasExtendedHeader
    ? 0
    : version === 4
      ? sevenBits(view, 10)
      : view.getUint32(10) + 4
  const tags: SoundTags = {}
  for (let at = 10 + extended; at + head < end; ) {
    const name = latin(bytes, at, isShort ? 3 : 4)
    if (!/^[A-Z0-9]+$/.test(name)) break
    const size = isShort
      ? view.getUint32(at + 2) & 0xffffff
      : version === 4
        ? sevenBits(view, at + 4)
        : view.getUint32(at + 4)
    const content = bytes.subarray(at + head, at + head + size)
    const text = ID3_TEXTS[name]
    if (text) setText(tags, text, id3Text(content))
    if ((name === 'APIC' || name === 'PIC') && content.length === size) {
      tags.cover ??= id3Picture(content, isShort)
    }
    at += head + size
  }
  return tags
}

/** A text may have several values, separated by NUL; the first is used. */
function id3Text(content: Uint8Array<ArrayBuffer>): string {
  const encoding = ID3_ENCODINGS[content[0] ?? 0] ?? 'latin1'
  const text = new TextDecoder(encoding).decode(content.subarray(1))
  return text.split('\0')[0] ?? ''
}

const ID3_ENCODINGS = ['latin1', 'utf-16', 'utf-16be', 'utf-8']

/** The media type, the kind of picture, a description, and the picture. */
function id3Picture(content: Uint8Array<ArrayBuffer>, isShort: boolean): SoundTags['cover'] {
  const isWide = content[0] === 1 || content[0] === 2
  const typeEnd = isShort ? 4 : content.indexOf(0, 1)
  if (typeEnd < 0) return undefined
  const type = latin(content, 1, typeEnd - 1).toLowerCase()
  let at = typeEnd + (isShort ? 1 : 2)
  while (at < content.length && !(content[at] === 0 && (!isWide || content[at + 1] === 0))) {
    at += isWide ? 2 : 1
  }
  return pictureOf(
    SHORT_TYPES[type] ?? (type.includes('/') ? type : `image/${type}`),
    content.subarray(at + (isWide ? 2 : 1)),
  )
}

const SHORT_TYPES: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png' }

const FLAC_COMMENTS = 4
const FLAC_PICTURE = 6

/** Metadata blocks: a kind, a length of 24 bits, and the content (RFC 9639, 8). */
function flacTags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tags: SoundTags = {}
  for (let at = 4; at + 4 <= bytes.length; ) {
    const head = view.getUint32(at)
    const [kind, size] = [(head >>> 24) & 0x7f, head & 0xffffff]
    const content = bytes.subarray(at + 4, at + 4 + size)
    if (content.length < size) break
    if (kind === FLAC_COMMENTS) addComments(tags, content)
    if (kind === FLAC_PICTURE) tags.cover ??= flacPicture(content)
    if (head >>> 31) break
    at += 4 + size
  }
  return tags
}

/** The comments are in the second packet, behind the name of the codec (RFC 7845, 5.2; Vorbis I, 5.2.1). */
function oggTags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const start = latin(bytes, 0, OGG_START)
  const tags: SoundTags = {}
  const mark = ['OpusTags', '\u0003vorbis'].find((one) => start.includes(one))
  if (mark) addComments(tags, bytes.subarray(start.indexOf(mark) + mark.length))
  return tags
}

/** The comments begin within these bytes. */
const OGG_START = 1024

/** `NAME=text` in UTF-8, each with its length; the lengths are little-endian. */
function addComments(tags: SoundTags, content: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  let at = 4 + view.getUint32(0, true)
  const count = view.getUint32(at, true)
  at += 4
  for (let left = count; left > 0 && at + 4 <= content.length; left -= 1) {
    const size = view.getUint32(at, true)
    const [name = '', ...rest] = new TextDecoder()
      .decode(content.subarray(at + 4, at + 4 + size))
      .split('=')
    const tag = (['title', 'artist', 'album'] as const).find((one) => one === name.toLowerCase())
    if (tag) setText(tags, tag, rest.join('='))
    at += 4 + size
  }
}

function flacPicture(content: Uint8Array<ArrayBuffer>): SoundTags['cover'] {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  const typeSize = view.getUint32(4)
  const type = latin(content, 8, typeSize)
  const textSize = view.getUint32(8 + typeSize)
  // Width, height, depth and number of colours follow the description.
  const at = 12 + typeSize + textSize + 16
  return pictureOf(type, content.subarray(at + 4, at + 4 + view.getUint32(at)))
}

/** Only formats that every browser shows, and that contain no script. */
function pictureOf(type: string, bytes: Uint8Array<ArrayBuffer>): SoundTags['cover'] {
  const isKnown = /^image\/(?:jpeg|png|gif|webp)$/.test(type)
  return isKnown && bytes.length > 0 ? { type, bytes } : undefined
}

function setText(tags: SoundTags, tag: TextTag, text: string): void {
  const trimmed = text.trim()
  if (trimmed) tags[tag] ??= trimmed
}

function latin(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

/** Four bytes with seven bits each. */
function sevenBits(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((sum, one) => sum * 128 + (view.getUint8(at + one) & 0x7f), 0)
}
