/** The tags of an MP4 file (M4A), as iTunes writes them: `moov` / `udta` / `meta` / `ilst`. */
import type { SoundTags } from '../api/sound-tag-types.ts'

/** The tags with a text, by the type of their box. */
const TEXTS: Record<string, 'title' | 'artist' | 'album'> = {
  '\u00a9nam': 'title',
  '\u00a9ART': 'artist',
  '\u00a9alb': 'album',
}

/** The media types of pictures, by the type number of their `data` box. */
const PICTURES: Record<number, string> = { 13: 'image/jpeg', 14: 'image/png' }

/** @returns no tags if the `moov` box is not at the start of the file, but after the bytes that were read */
export function mp4Tags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const list = ['moov', 'udta', 'meta', 'ilst'].reduce<Uint8Array<ArrayBuffer> | undefined>(
    (parent, type) => parent && boxes(parent).find((box) => box.type === type)?.content,
    bytes,
  )
  const tags: SoundTags = {}
  for (const { type, content } of list ? boxes(list) : []) {
    const box = boxes(content).find((candidate) => candidate.type === 'data')
    if (!box?.isWhole || box.content.length < 8) continue
    const data = box.content
    const kind = viewOf(data).getUint32(0)
    const value = data.subarray(8)
    const text = TEXTS[type]
    if (text) tags[text] ??= new TextDecoder().decode(value)
    const picture = PICTURES[kind]
    if (type === 'covr' && picture) tags.cover ??= { type: picture, bytes: value }
  }
  return tags
}

interface Box {
  type: string
  /** False if the bytes that were read end inside the box. */
  isWhole: boolean
  content: Uint8Array<ArrayBuffer>
}

/** @returns the boxes of one level, without those inside them */
function boxes(bytes: Uint8Array<ArrayBuffer>): Box[] {
  const view = viewOf(bytes)
  const siblings: Box[] = []
  for (let offset = 0; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset)
    if (size < 8) break
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8))
    // A version and flags precede the boxes in `meta`.
    const start = offset + 8 + (type === 'meta' ? 4 : 0)
    siblings.push({
      type,
      isWhole: offset + size <= bytes.length,
      content: bytes.subarray(start, offset + size),
    })
    offset += size
  }
  return siblings
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
