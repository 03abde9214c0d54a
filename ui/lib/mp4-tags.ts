/** The tags of an MP4 file (M4A), as iTunes writes them: `moov` / `udta` / `meta` / `ilst`. */
import type { SoundTags } from './sound-tag-types.ts'

const TEXTS: Record<string, 'title' | 'artist' | 'album'> = {
  '\u00a9nam': 'title',
  '\u00a9ART': 'artist',
  '\u00a9alb': 'album',
}

/** The kinds of picture in a `data` box. */
const PICTURES: Record<number, string> = { 13: 'image/jpeg', 14: 'image/png' }

/** @returns nothing if the index of the file is not at its start */
export function mp4Tags(bytes: Uint8Array<ArrayBuffer>): SoundTags {
  const list = ['moov', 'udta', 'meta', 'ilst'].reduce<Uint8Array<ArrayBuffer> | undefined>(
    (inside, type) => inside && boxes(inside).find((box) => box.type === type)?.content,
    bytes,
  )
  const tags: SoundTags = {}
  for (const { type, content } of list ? boxes(list) : []) {
    const box = boxes(content).find((one) => one.type === 'data')
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
  /** False if the bytes that were read end before it does. */
  isWhole: boolean
  content: Uint8Array<ArrayBuffer>
}

/** The boxes of this level. */
function boxes(bytes: Uint8Array<ArrayBuffer>): Box[] {
  const view = viewOf(bytes)
  const found: Box[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at)
    if (size < 8) break
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    // A version and flags precede the boxes in `meta`.
    const start = at + 8 + (type === 'meta' ? 4 : 0)
    found.push({
      type,
      isWhole: at + size <= bytes.length,
      content: bytes.subarray(start, at + size),
    })
    at += size
  }
  return found
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
