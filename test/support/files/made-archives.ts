/** Archives written byte by byte, with content that no program writes. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface Entry {
  /** Bytes if the name is not UTF-8. */
  name: string | Uint8Array
  content?: string | Uint8Array
  /** For a tar: the type flag. */
  type?: string
  /** For a tar: the name of the linked entry. */
  link?: string
  /** The Unix mode; in a tar without the file type. */
  mode?: number
  /** For a zip: flag bits to set. */
  flags?: number
  /** False values in the headers; a tar has only the size. */
  says?: { crc?: number; sizeBytes?: number; method?: number }
}

const BLOCK = 512

export function tarOf(...entries: Entry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const { name, content = '', type = '0', link = '', mode = 0o644, says = {} } = entry
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(BLOCK)
    Buffer.from(name).copy(header, 0)
    header.write(`${(mode & 0o7777).toString(8).padStart(7, '0')}\0`, 100)
    const size = says.sizeBytes ?? bytes.length
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
    header.write(`${(1_700_000_000).toString(8)}\0`, 136)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\x0000', 257)
    header.fill(0x20, 148, 156)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

export function zipOf(...entries: Entry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { mode = 0o100644, flags = 0x800, says = {} } = entry
    const [name, content] = [Buffer.from(entry.name), Buffer.from(entry.content ?? '')]
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(says.method ?? 8, 4)
    common.writeUInt32LE(says.crc ?? crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(says.sizeBytes ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode * 0x10000) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const head = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest])
    directory.push(head, name)
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length & 0xffff, 8)
  end.writeUInt16LE(entries.length & 0xffff, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, listed, end])
}
