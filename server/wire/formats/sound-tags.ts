/** Reads title, artist, album and cover from the start of an audio file: MP3, FLAC, Ogg and M4A. */

import type { SoundTags } from '../api/sound-tag-types.ts'
import { mp4Tags } from './mp4-tags.ts'

/** @returns the tags; empty for other formats; of damaged tags, those that could be read or none */
export function readSoundTags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  try {
    if (latin(bytes, 0, 3) === 'ID3') return id3Tags(bytes)
    if (latin(bytes, 0, 4) === 'fLaC') return flacTags(bytes)
    if (latin(bytes, 0, 4) === 'OggS') return oggTags(bytes)
    if (latin(bytes, 4, 4) === 'ftyp') return mp4Tags(bytes)
  } catch {
    // An offset that follows from a length in the file is outside the bytes that were read.
  }
  return {}
}

type TextTag = 'title' | 'artist' | 'album'

/** The frames with the texts, by name: four letters, or three in version 2.2. */
const ID3_TEXTS: Record<string, TextTag> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TT2: 'title',
  TP1: 'artist',
  TAL: 'album',
}

/** Tags in ID3 version 2.2, 2.3 or 2.4 (id3.org). A header, then frames with a name, a size and their content. */
function id3Tags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [version, flags] = [view.getUint8(3), view.getUint8(5)]
  const isShort = version < 3
  const headerSize = isShort ? 6 : 10
  const end = Math.min(bytes.length, 10 + sevenBits(view, 6))
  const hasExtendedHeader = !isShort && (flags & 0x40) !== 0
  const extendedSize = !hasExtendedHeader
    ? 0
    : version === 4
      ? sevenBits(view, 10)
      : view.getUint32(10) + 4
  const tags: SoundTags = {}
  for (let offset = 10 + extendedSize; offset + headerSize < end; ) {
    const name = latin(bytes, offset, isShort ? 3 : 4)
    if (!/^[A-Z0-9]+$/.test(name)) break
    const size = isShort
      ? view.getUint32(offset + 2) & 0xffffff
      : version === 4
        ? sevenBits(view, offset + 4)
        : view.getUint32(offset + 4)
    const content = bytes.subarray(offset + headerSize, offset + headerSize + size)
    const text = ID3_TEXTS[name]
    if (text) setText(tags, text, id3Text(content))
    if ((name === 'APIC' || name === 'PIC') && content.length === size) {
      tags.cover ??= id3Picture(content, isShort)
    }
    offset += headerSize + size
  }
  return tags
}

/** @returns the text of a frame; of several values, which are separated by NUL, the first */
function id3Text(content: Uint8Array<ArrayBuffer>): string {
  const encoding = ID3_ENCODINGS[content[0] ?? 0] ?? 'latin1'
  const text = new TextDecoder(encoding).decode(content.subarray(1))
  return text.split('\0')[0] ?? ''
}

/** The encodings by the first byte of a frame. */
const ID3_ENCODINGS = ['latin1', 'utf-16', 'utf-16be', 'utf-8'] as const

/** A frame with a picture: encoding, media type, kind of picture, description, and the picture itself. */
function id3Picture(content: Uint8Array<ArrayBuffer>, isShort: boolean): SoundTags['cover'] {
  const isWide = content[0] === 1 || content[0] === 2
  const typeEnd = isShort ? 4 : content.indexOf(0, 1)
  if (typeEnd < 0) return undefined
  const type = latin(content, 1, typeEnd - 1).toLowerCase()
  let offset = typeEnd + (isShort ? 1 : 2)
  while (
    offset < content.length &&
    !(content[offset] === 0 && (!isWide || content[offset + 1] === 0))
  ) {
    offset += isWide ? 2 : 1
  }
  return pictureOf(
    SHORT_TYPES[type] ?? (type.includes('/') ? type : `image/${type}`),
    content.subarray(offset + (isWide ? 2 : 1)),
  )
}

/** The media types of version 2.2, which names pictures by three letters. */
const SHORT_TYPES: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png' }

/** The kinds of metadata blocks that are read. */
const FLAC_COMMENTS = 4
const FLAC_PICTURE = 6

/** Metadata blocks: a kind, a length of 24 bits, and the content (RFC 9639, 8). */
function flacTags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tags: SoundTags = {}
  for (let offset = 4; offset + 4 <= bytes.length; ) {
    const head = view.getUint32(offset)
    const [kind, size] = [(head >>> 24) & 0x7f, head & 0xffffff]
    const content = bytes.subarray(offset + 4, offset + 4 + size)
    if (content.length < size) break
    if (kind === FLAC_COMMENTS) addComments(tags, content)
    if (kind === FLAC_PICTURE) tags.cover ??= flacPicture(content)
    // The highest bit marks the last block.
    if (head >>> 31) break
    offset += 4 + size
  }
  return tags
}

/** The comments are in the second packet, after the name of the codec (RFC 7845, 5.2; Vorbis I, 5.2.1). */
function oggTags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const start = latin(bytes, 0, OGG_START)
  const tags: SoundTags = {}
  const codecName = ['OpusTags', '\u0003vorbis'].find((name) => start.includes(name))
  if (codecName) addComments(tags, bytes.subarray(start.indexOf(codecName) + codecName.length))
  return tags
}

/** The name of the codec is searched in this many bytes: the first packet, which precedes it, is shorter. */
const OGG_START = 1024

/** Reads Vorbis comments: `NAME=text` in UTF-8, each after its length in little-endian order. */
function addComments(tags: SoundTags, content: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  let offset = 4 + view.getUint32(0, true)
  const count = view.getUint32(offset, true)
  offset += 4
  for (let index = 0; index < count && offset + 4 <= content.length; index += 1) {
    const size = view.getUint32(offset, true)
    const [name = '', ...rest] = new TextDecoder()
      .decode(content.subarray(offset + 4, offset + 4 + size))
      .split('=')
    const tag = (['title', 'artist', 'album'] as const).find(
      (known) => known === name.toLowerCase(),
    )
    if (tag) setText(tags, tag, rest.join('='))
    offset += 4 + size
  }
}

function flacPicture(content: Uint8Array<ArrayBuffer>): SoundTags['cover'] {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  const typeSize = view.getUint32(4)
  const type = latin(content, 8, typeSize)
  const textSize = view.getUint32(8 + typeSize)
  // Width, height, depth and number of colours follow the description.
  const offset = 12 + typeSize + textSize + 16
  return pictureOf(type, content.subarray(offset + 4, offset + 4 + view.getUint32(offset)))
}

/** @returns undefined for a format that some browsers do not show, or that may contain a script */
function pictureOf(type: string, bytes: Uint8Array<ArrayBuffer>): SoundTags['cover'] {
  const isKnown = /^image\/(?:jpeg|png|gif|webp)$/.test(type)
  return isKnown && bytes.length > 0 ? { type, bytes } : undefined
}

function setText(tags: SoundTags, tag: TextTag, text: string): void {
  const trimmed = text.trim()
  if (trimmed) tags[tag] ??= trimmed
}

function latin(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length))
}

/** Reads a number of four bytes, of which each has seven bits. */
function sevenBits(view: DataView, offset: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (view.getUint8(offset + index) & 0x7f), 0)
}
