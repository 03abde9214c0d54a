/** Exif blocks, valid ones as cameras write them, and invalid ones. */

/** A text, a short integer, or fractions. */
type Value = string | number | readonly (readonly [number, number])[]
type Fields = Readonly<Record<number, Value>>

const OWN = 0x8769
const GPS = 0x8825

/** A block with these fields in its three directories. */
export function exifBlock(
  { main, own, gps }: { main: Fields; own?: Fields; gps?: Fields },
  order: 'II' | 'MM' = 'II',
): Uint8Array {
  const little = order === 'II'
  const size = 4096
  const view = new DataView(new ArrayBuffer(size))
  const bytes = new Uint8Array(view.buffer)
  bytes.set(Buffer.from(order))
  view.setUint16(2, 42, little)
  view.setUint32(4, 8, little)
  let end = 8
  const take = (length: number) => {
    const at = end
    end += length + (length % 2)
    return at
  }
  const write = (fields: Fields): number => {
    const rows = Object.entries(fields)
    const start = take(2 + rows.length * 12 + 4)
    view.setUint16(start, rows.length, little)
    for (const [index, [tag, value]] of rows.entries()) {
      const row = start + 2 + index * 12
      view.setUint16(row, Number(tag), little)
      if (typeof value === 'string') {
        const text = Buffer.from(`${value}\0`)
        const at = text.length <= 4 ? row + 8 : take(text.length)
        bytes.set(text, at)
        view.setUint16(row + 2, 2, little)
        view.setUint32(row + 4, text.length, little)
        if (at !== row + 8) view.setUint32(row + 8, at, little)
      } else if (typeof value === 'number') {
        const isOffset = Number(tag) === OWN || Number(tag) === GPS
        view.setUint16(row + 2, isOffset ? 4 : 3, little)
        view.setUint32(row + 4, 1, little)
        if (isOffset) view.setUint32(row + 8, value, little)
        else view.setUint16(row + 8, value, little)
      } else {
        const at = take(value.length * 8)
        view.setUint16(row + 2, 5, little)
        view.setUint32(row + 4, value.length, little)
        view.setUint32(row + 8, at, little)
        for (const [part, [over, under]] of value.entries()) {
          view.setUint32(at + part * 8, over, little)
          view.setUint32(at + part * 8 + 4, under, little)
        }
      }
    }
    return start
  }
  // The offsets of the other directories are only known after the first one is written.
  const first = { ...main, ...(own && { [OWN]: 0 }), ...(gps && { [GPS]: 0 }) }
  write(first)
  const rows = Object.keys(first).map(Number)
  const point = (tag: number, at: number) =>
    view.setUint32(8 + 2 + rows.indexOf(tag) * 12 + 8, at, little)
  if (own) point(OWN, write(own))
  if (gps) point(GPS, write(gps))
  return Buffer.concat([Buffer.from('Exif\0\0'), bytes.subarray(0, end)])
}

/** A JPEG that begins with this block. */
export function withExif(jpeg: Uint8Array, block: Uint8Array): Buffer {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0])
  head.writeUInt16BE(block.length + 2, 4)
  return Buffer.concat([head, block, jpeg.subarray(2)])
}

/** A block whose second directory has a small JPEG. */
export function exifWithThumbnail(jpeg: Uint8Array): Buffer {
  const block = Buffer.from(exifBlock({ main: { 272: 'ILCE-7' } }))
  const tiff = block.subarray(6)
  const fields = tiff.readUInt16LE(8)
  const directory = Buffer.alloc(2 + 3 * 12 + 4)
  directory.writeUInt16LE(3)
  const at = tiff.length + directory.length
  for (const [index, [tag, value]] of [
    [0x103, 6],
    [0x201, at],
    [0x202, jpeg.length],
  ].entries()) {
    directory.writeUInt16LE(tag ?? 0, 2 + index * 12)
    directory.writeUInt16LE(4, 4 + index * 12)
    directory.writeUInt32LE(1, 6 + index * 12)
    directory.writeUInt32LE(value ?? 0, 10 + index * 12)
  }
  tiff.writeUInt32LE(tiff.length, 10 + fields * 12)
  return Buffer.concat([block, directory, jpeg])
}
