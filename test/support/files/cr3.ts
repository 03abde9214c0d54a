/** Raw files with the ending CR3, as cameras of Canon write them. */
import { exifBlock } from './exif.ts'

const CANON = '85c0b687820f11e08111f4ce462b6a48'
const PREVIEW = 'eaf42b5e1c984b88b9fbb7dc406e4d16'

/** @param jpegs the pictures in the file; without one, its box or track is missing */
export function cr3File(
  jpegs: { thumbnail?: Buffer; preview?: Buffer; full?: Buffer },
  orientation = 1,
): Buffer {
  const withTracks = (samples: Buffer[]) =>
    box(
      'moov',
      box(
        'uuid',
        Buffer.from(CANON, 'hex'),
        box('CNCV', 'CanonCR3_001/00.09.00/00.00.00'),
        box('CMT1', tiff({ main: { 271: 'Canon', 272: 'Canon EOS R5', 274: orientation } })),
        box('CMT2', tiff({ main: { 36867: '2026:05:01 12:00:00', 34855: 400 } })),
        box(
          'CMT4',
          tiff({
            main: {
              1: 'N',
              2: [
                [60, 1],
                [30, 1],
                [0, 1],
              ],
              3: 'E',
              4: [
                [5, 1],
                [0, 1],
                [0, 1],
              ],
            },
          }),
        ),
        ...(jpegs.thumbnail ? [box('THMB', head(jpegs.thumbnail, 8), jpegs.thumbnail)] : []),
      ),
      ...samples,
    )
  const preview = jpegs.preview
    ? [box('uuid', Buffer.from(PREVIEW, 'hex'), numbers(0, 1), prvw(jpegs.preview))]
    : []
  const type = box('ftyp', 'crx ', numbers(1), 'crx isom')
  // The last track is raw data: its codec is no JPEG.
  const raw = Buffer.concat([Buffer.from([0xff, 0x01]), Buffer.alloc(50_000)])
  const stored = jpegs.full ? [jpegs.full, raw] : [raw]
  const moovOf = (start: number) => {
    let at = start
    const tracks = stored.map((sample) => {
      at += sample.length
      return track(at - sample.length, sample.length)
    })
    return withTracks(tracks)
  }
  const start = [type, moovOf(0), ...preview].reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([type, moovOf(start), ...preview, box('mdat', ...stored)])
}

function track(start: number, sizeBytes: number): Buffer {
  const offset = Buffer.alloc(8)
  offset.writeBigUInt64BE(BigInt(start))
  const samples = box(
    'stbl',
    box('stsz', numbers(0, sizeBytes, 1)),
    box('free', Buffer.alloc(7)),
    box('co64', numbers(0, 1), offset),
  )
  return box('trak', box('tkhd', Buffer.alloc(84)), box('mdia', box('minf', samples)))
}

function prvw(jpeg: Buffer): Buffer {
  return box('PRVW', head(jpeg, 12), jpeg)
}

/** The directory of a box, without the mark of Exif. */
function tiff(block: Parameters<typeof exifBlock>[0]): Uint8Array {
  return exifBlock(block).subarray(6)
}

/** Sixteen bytes, with the length of a JPEG. */
function head(jpeg: Buffer, at: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(jpeg.length, at)
  return bytes
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

function box(type: string, ...parts: (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))
  return Buffer.concat([numbers(content.length + 8), Buffer.from(type, 'latin1'), content])
}
