/** Lists the members of a zip and of a tar byte by byte, without the reader of the server. */
import { crc32, inflateRawSync } from 'node:zlib'

export interface ListedMember {
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
  mode: number
  /** Seconds since 1970. */
  seconds: number
  size: number
  /** The checksum of the content. */
  crc: number
}

/** As the central directory has them; the content is compared with its checksum. */
export function zipMembersOf(zip: Uint8Array): ListedMember[] {
  const bytes = Buffer.from(zip)
  const end = bytes.lastIndexOf('PK\x05\x06')
  const members: ListedMember[] = []
  let offset = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) =>
      bytes.readUInt16LE(offset + at),
    )
    const start = offset + 46
    const extraStart = start + (nameBytes ?? 0)
    const extra = bytes.subarray(extraStart, extraStart + (extraBytes ?? 0))
    const mode = bytes.readUInt16LE(offset + 40)
    const name = bytes.subarray(start, extraStart).toString()
    const content = contentAt(bytes, bytes.readUInt32LE(offset + 42), {
      method: bytes.readUInt16LE(offset + 10),
      packed: bytes.readUInt32LE(offset + 20),
    })
    if (crc32(content) !== bytes.readUInt32LE(offset + 16)) throw new Error(`${name} is damaged.`)
    members.push({
      name,
      kind: KINDS[mode & 0o170000] ?? (name.endsWith('/') ? 'folder' : 'file'),
      mode: mode & 0o7777,
      seconds: secondsOf(extra, bytes.readUInt16LE(offset + 12), bytes.readUInt16LE(offset + 14)),
      size: bytes.readUInt32LE(offset + 24),
      crc: crc32(content),
    })
    offset = extraStart + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
  return members
}

const KINDS: Record<number, ListedMember['kind']> = {
  16807: 'file',
  9604: 'folder',
  21609: 'link',
}

function contentAt(
  bytes: Buffer,
  offset: number,
  { method, packed }: { method: number; packed: number },
): Buffer {
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const content = bytes.subarray(start, start + packed)
  return method === 0 ? content : inflateRawSync(content)
}

/** The time of Info-ZIP, or else that of DOS, which is read as UTC here. */
function secondsOf(extra: Buffer, time: number, date: number): number {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 0x5455) return extra.readInt32LE(at + 5)
  }
  const day = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31] as const
  return Date.UTC(...day, time >> 11, (time >> 5) & 63, (time & 31) * 2) / 1000
}

/** As its headers have them, with the values of pax records. */
export function tarMembersOf(tar: Uint8Array): ListedMember[] {
  const bytes = Buffer.from(tar)
  const members: ListedMember[] = []
  let pax: Record<string, string> = {}
  for (let offset = 0; bytes[offset]; ) {
    const header = bytes.subarray(offset, offset + 512)
    const text = (start: number, length: number) =>
      header
        .subarray(start, start + length)
        .toString()
        .replace(/\0.*$/s, '')
    const octal = (start: number, length: number) => Number.parseInt(text(start, length), 8) || 0
    const type = text(156, 1)
    const size = octal(124, 12)
    const content = bytes.subarray(offset + 512, offset + 512 + size)
    offset += 512 + Math.ceil(size / 512) * 512
    if (type === 'x') {
      pax = recordsOf(content)
      continue
    }
    const prefix = text(345, 155)
    members.push({
      name: pax.path ?? (prefix ? `${prefix}/` : '') + text(0, 100),
      kind: type === '5' ? 'folder' : type === '2' ? 'link' : type === '0' ? 'file' : 'other',
      mode: octal(100, 8),
      seconds: Number(pax.mtime ?? octal(136, 12)),
      size,
      crc: crc32(content),
    })
    pax = {}
  }
  return members
}

function recordsOf(bytes: Buffer): Record<string, string> {
  const records: Record<string, string> = {}
  for (let start = 0; start < bytes.length; ) {
    const space = bytes.indexOf(' ', start)
    const end = start + Number(bytes.subarray(start, space))
    const record = bytes.subarray(space + 1, end - 1).toString()
    const equals = record.indexOf('=')
    records[record.slice(0, equals)] = record.slice(equals + 1)
    start = end
  }
  return records
}
