/** Audio files with tags. */
import { waveOf } from './recordings.ts'

/** ID3v2.3 with the title and artist in UTF-16, and a cover, before the sound. */
export function withTags(
  tags: { title: string; artist: string; cover?: Uint8Array },
  sound: Uint8Array = waveOf(5),
): Uint8Array<ArrayBuffer> {
  const frames = [
    frame('TIT2', utf16(tags.title)),
    frame('TPE1', utf16(tags.artist)),
    ...(tags.cover
      ? [frame('APIC', Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), tags.cover]))]
      : []),
  ]
  const content = Buffer.concat(frames)
  const head = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')
  for (const [at, shift] of [21, 14, 7, 0].entries()) {
    head[6 + at] = (content.length >> shift) & 0x7f
  }
  return new Uint8Array(Buffer.concat([head, content, sound]))
}

function frame(name: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(10)
  head.write(name, 'latin1')
  head.writeUInt32BE(content.length, 4)
  return Buffer.concat([head, content])
}

function utf16(text: string): Buffer {
  return Buffer.concat([Buffer.of(1, 0xff, 0xfe), Buffer.from(text, 'utf16le')])
}

/** FLAC metadata without sound: comments and a picture. */
export function flacWith(comments: readonly string[], cover: Uint8Array): Uint8Array<ArrayBuffer> {
  const texts = comments.map((text) => Buffer.from(text))
  const little = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const big = (value: number) => Buffer.from(little(value)).reverse()
  const block = (kind: number, content: Buffer, isLast = false) =>
    Buffer.concat([big(((isLast ? 0x80 : 0) + kind) * 2 ** 24 + content.length), content])
  const comment = Buffer.concat([
    little(0),
    little(texts.length),
    ...texts.flatMap((text) => [little(text.length), text]),
  ])
  const picture = Buffer.concat([
    big(3),
    big(9),
    Buffer.from('image/png'),
    big(0),
    Buffer.alloc(16),
    big(cover.length),
    cover,
  ])
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('fLaC'),
      block(0, Buffer.alloc(34)),
      block(4, comment),
      block(6, picture, true),
    ]),
  )
}

/** The start of an Opus file with comments. */
export function oggWith(comments: readonly string[]): Uint8Array<ArrayBuffer> {
  const flac = Buffer.from(flacWith(comments, new Uint8Array(1)))
  const at = flac.indexOf(4, 42) + 4
  const head = Buffer.from('OggS\0\x02OpusHead page OggS OpusTags', 'latin1')
  return new Uint8Array(Buffer.concat([head, flac.subarray(at)]))
}

/** An M4A file without sound: its index with a title, an artist and a cover. */
export function m4aWith(title: string, artist: string, cover: Uint8Array): Uint8Array<ArrayBuffer> {
  const box = (type: string, ...parts: Uint8Array[]) => {
    const content = Buffer.concat(parts)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + content.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, content])
  }
  const data = (kind: number, content: Uint8Array) =>
    box('data', Buffer.of(0, 0, 0, kind, 0, 0, 0, 0), content)
  const list = box(
    'ilst',
    box('\u00a9nam', data(1, Buffer.from(title))),
    box('\u00a9ART', data(1, Buffer.from(artist))),
    box('covr', data(14, cover)),
  )
  const meta = box('meta', Buffer.alloc(4), box('hdlr', Buffer.alloc(20)), list)
  const index = box('moov', box('mvhd', Buffer.alloc(100)), box('udta', meta))
  return new Uint8Array(Buffer.concat([box('ftyp', Buffer.from('M4A ')), index]))
}
