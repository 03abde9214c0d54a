/** The central directory of a zip: where it is, and its records (APPNOTE.TXT 4.3, with zip64). */
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { archiveTooLarge, type Bytes, damagedArchive } from '../member.ts'
import { ByteReader } from '../streams/byte-reader.ts'

const [END, END64, LOCATOR64, CENTRAL] = [0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50]
const END_BYTES = 22
const LOCATOR_BYTES = 20
const END64_BYTES = 56
const CENTRAL_BYTES = 46
/** Of a name, an extra field and a comment. */
export const FIELD_MAX_BYTES = 0xffff

/** A file with random access. */
export interface RandomAccess {
  sizeBytes: number
  /** Returns fewer bytes at the end of the file. */
  read(start: number, length: number): Bytes
}

/** The central directory. */
export interface Directory {
  start: number
  length: number
  /** The length of a program in front of the zip, for which its offsets do not account. */
  prefixBytes: number
}

/** @throws Fault unprocessable (not a zip, damaged), tooLarge */
export async function findDirectory(file: RandomAccess): Promise<Directory> {
  const { sizeBytes } = file
  const tailStart = Math.max(0, sizeBytes - END_BYTES - FIELD_MAX_BYTES - LOCATOR_BYTES)
  const tail = await readAll(file, tailStart, sizeBytes - tailStart)
  for (let offset = tail.length - END_BYTES; offset >= 0; offset -= 1) {
    if (tail.readUInt32LE(offset) !== END) continue
    if (offset + END_BYTES + tail.readUInt16LE(offset + 20) !== tail.length) continue
    return directoryOf(file, tail, offset, tailStart)
  }
  throw damagedArchive()
}

/** @param endOffset where the end record begins in `tail` */
async function directoryOf(
  file: RandomAccess,
  tail: Buffer,
  endOffset: number,
  tailStart: number,
): Promise<Directory> {
  if (tail.readUInt16LE(endOffset + 4) !== tail.readUInt16LE(endOffset + 6)) throw damagedArchive()
  const locator = endOffset - LOCATOR_BYTES
  const isZip64 = locator >= 0 && tail.readUInt32LE(locator) === LOCATOR64
  let [end, count] = [tailStart + endOffset, tail.readUInt16LE(endOffset + 10)]
  let [length, offset] = [tail.readUInt32LE(endOffset + 12), tail.readUInt32LE(endOffset + 16)]
  if (isZip64) {
    end = exactNumber(tail.readBigUInt64LE(locator + 8))
    let zip64 = await readAll(file, end, END64_BYTES)
    if (!isEnd64(zip64)) {
      end = tailStart + locator - END64_BYTES
      zip64 = await readAll(file, Math.max(0, end), END64_BYTES)
    }
    if (!isEnd64(zip64)) throw damagedArchive()
    count = exactNumber(zip64.readBigUInt64LE(32))
    length = exactNumber(zip64.readBigUInt64LE(40))
    offset = exactNumber(zip64.readBigUInt64LE(48))
  }
  if (offset + length > end) throw damagedArchive()
  if (count > SERVER_LIMITS.extractEntriesMax) throw archiveTooLarge('it has too many entries')
  const start = await startOf(file, { offset, length, end })
  return { start, length, prefixBytes: start - offset }
}

/** Where the directory really begins: directly before its end record if nothing is where the zip says. */
async function startOf(
  file: RandomAccess,
  { offset, length, end }: { offset: number; length: number; end: number },
): Promise<number> {
  if (length === 0) return offset
  for (const start of [offset, end - length]) {
    const signature = await readAll(file, start, 4)
    if (signature.length === 4 && signature.readUInt32LE(0) === CENTRAL) return start
  }
  throw damagedArchive()
}

function isEnd64(bytes: Buffer): boolean {
  return bytes.length >= END64_BYTES && bytes.readUInt32LE(0) === END64
}

async function readAll(file: RandomAccess, start: number, length: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of file.read(start, length)) parts.push(part)
  return Buffer.concat(parts)
}

/** A record of the central directory: the part before its name, and the name with the fields after it. */
interface DirectoryRecord {
  fixed: Buffer
  rest: Buffer
}

/** @throws Fault unprocessable (damaged) */
export async function* recordsOf(
  file: RandomAccess,
  { start, length }: Directory,
): AsyncGenerator<DirectoryRecord, void> {
  const reader = new ByteReader(file.read(start, length))
  try {
    for (let unread = length; unread >= CENTRAL_BYTES; ) {
      const fixed = Buffer.from(await reader.readRequired(CENTRAL_BYTES))
      if (fixed.readUInt32LE(0) !== CENTRAL) throw damagedArchive()
      const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
        fixed.readUInt16LE(offset),
      )
      const size = (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
      const rest = Buffer.from(size === 0 ? [] : await reader.readRequired(size))
      unread -= CENTRAL_BYTES + size
      yield { fixed, rest }
    }
  } finally {
    await reader.end()
  }
}

/** @throws Fault unprocessable if the number is not exact */
export function exactNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damagedArchive()
  return Number(value)
}
