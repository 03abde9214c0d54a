/** Pictures as files. */
import { crc32, deflateSync } from 'node:zlib'

/** Larger pictures have no pixels. */
const PIXELS_MAX = 100

/** A PNG whose header contains this size. The pixels of a small one are black. */
export function pictureOfSize(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  // Each row begins with the number of its filter, and a pixel has three bytes.
  const rows = width * height > PIXELS_MAX ? 0 : height * (1 + 3 * width)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
