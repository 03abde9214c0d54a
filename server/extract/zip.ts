/**
 * Reads the members of a zip as listed in its central directory (APPNOTE.TXT 4.3, with zip64). Each member is read by
 * its own range and verified by its checksum.
 */
import { crc32, createInflateRaw } from 'node:zlib'
import { clampTime } from '#wire/entry.ts'
import { LIMITS } from '#wire/limits.ts'
import { ByteReader } from './byte-reader.ts'
import {
  archiveTooLarge,
  type Bytes,
  damagedArchive,
  encryptedArchive,
  type Member,
  type Members,
  memberName,
} from './member.ts'
import { pipeThrough } from './through.ts'

const [END, END64, LOCATOR64, CENTRAL, LOCAL] = [
  0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50,
]
const END_BYTES = 22
const LOCATOR_BYTES = 20
const END64_BYTES = 56
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
/** Of a name, an extra field and a comment. */
const FIELD_MAX_BYTES = 0xffff
const ALL_ONES = 0xffffffff
const [STORED, DEFLATED] = [0, 8]
const UNIX = 3
/** The attribute of an NTFS field with the times: its number, and its length of 24 in the upper half. */
const NTFS_TIMES = 0x00180001
/** Between 1601, when the times of NTFS begin, and 1970. */
const NTFS_EPOCH_MS = 11_644_473_600_000
const [KIND_BITS, FOLDER, FILE, LINK] = [0o170000, 0o040000, 0o100000, 0o120000]

/** A file with random access. */
export interface RandomAccess {
  sizeBytes: number
  /** Returns fewer bytes at the end of the file. */
  read(start: number, length: number): Bytes
}

/** @throws Fault unprocessable (not a zip, damaged, encrypted), tooLarge */
export async function* zipMembers(file: RandomAccess): Members {
  const { start, length } = await findDirectory(file)
  if (length > LIMITS.extractNamesMaxBytes) throw archiveTooLarge('it has too many entries')
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
      yield memberOf(file, start, entryOf(fixed, rest))
    }
  } finally {
    await reader.end()
  }
}

/** Bit of a Unix mode: the owner may execute the file. */
const OWNER_EXECUTES = 0o100

/** A record of the central directory. */
interface DirectoryEntry {
  name: string
  mode: number
  flags: number
  method: number
  crc: number
  modifiedMs: number | undefined
  packedBytes: number
  sizeBytes: number
  offset: number
  problem: string
}

/** @param fixed the part of a directory entry before its name */
function entryOf(fixed: Buffer, rest: Buffer): DirectoryEntry {
  const nameBytes = rest.subarray(0, fixed.readUInt16LE(28))
  const extra = extraFields(
    rest.subarray(nameBytes.length, nameBytes.length + fixed.readUInt16LE(30)),
  )
  const zip64 = extra.get(0x0001)
  let zip64Offset = 0
  const field = (offset: number) => {
    const value = fixed.readUInt32LE(offset)
    if (value !== ALL_ONES) return value
    if (!zip64 || zip64.length < zip64Offset + 8) throw damagedArchive()
    zip64Offset += 8
    return exactNumber(zip64.readBigUInt64LE(zip64Offset - 8))
  }
  // The 64-bit values have this order.
  const [sizeBytes, packedBytes, offset] = [field(24), field(20), field(42)]
  const isUnix = fixed.readUInt8(5) === UNIX
  return {
    ...memberName(unicodeName(extra.get(0x7075), nameBytes) ?? nameBytes),
    mode: isUnix ? fixed.readUInt16LE(40) : 0,
    flags: fixed.readUInt16LE(8),
    method: fixed.readUInt16LE(10),
    crc: fixed.readUInt32LE(16),
    modifiedMs: modifiedAt(extra, fixed),
    packedBytes,
    sizeBytes,
    offset,
  }
}

function memberOf(file: RandomAccess, directoryStart: number, entry: DirectoryEntry): Member {
  // Bit 0: encryption; bit 13: encrypted directory.
  if ((entry.flags & 0x2001) !== 0) throw encryptedArchive()
  const { name, mode, method, sizeBytes, modifiedMs } = entry
  const kindBits = mode & KIND_BITS
  const isFolder = name.endsWith('/') || kindBits === FOLDER
  const isSpecial = kindBits !== 0 && kindBits !== FOLDER && kindBits !== FILE
  const kindProblem =
    kindBits === LINK
      ? 'It is a link, and is left out.'
      : isSpecial
        ? 'It is a device file, and is left out.'
        : !isFolder && method !== STORED && method !== DEFLATED
          ? 'It is compressed in a way that is not known here.'
          : ''
  const problem = entry.problem || kindProblem
  return {
    name,
    kind: problem !== '' ? 'other' : isFolder ? 'folder' : 'file',
    sizeBytes: isFolder ? 0 : sizeBytes,
    modifiedMs,
    isExecutable: (mode & OWNER_EXECUTES) !== 0,
    problem,
    read: () => contentOf(file, directoryStart, entry),
  }
}

/**
 * @param directoryStart the offset of the central directory, which ends the members
 * @throws Fault unprocessable if length or checksum differ from the directory
 */
async function* contentOf(
  file: RandomAccess,
  directoryStart: number,
  entry: DirectoryEntry,
): Bytes {
  const { method, packedBytes, sizeBytes, offset } = entry
  if (offset + LOCAL_BYTES + packedBytes > directoryStart) throw damagedArchive()
  // The local header may have another name and extra field than the directory, of at most this size.
  const maxBytes = LOCAL_BYTES + 2 * FIELD_MAX_BYTES + packedBytes
  const reader = new ByteReader(file.read(offset, Math.min(maxBytes, directoryStart - offset)))
  try {
    const local = Buffer.from(await reader.readRequired(LOCAL_BYTES))
    if (local.readUInt32LE(0) !== LOCAL) throw damagedArchive()
    const skipped = local.readUInt16LE(26) + local.readUInt16LE(28)
    if (skipped > 0) await reader.readRequired(skipped)
    const packed = reader.parts(packedBytes)
    let [sum, count] = [0, 0]
    for await (const part of method === STORED ? packed : pipeThrough(packed, createInflateRaw())) {
      sum = crc32(part, sum)
      count += part.length
      if (count > sizeBytes) throw damagedArchive()
      yield part
    }
    if (count !== sizeBytes || sum !== entry.crc) throw damagedArchive()
  } finally {
    await reader.end()
  }
}

/** Finds the central directory. */
async function findDirectory(file: RandomAccess): Promise<{ start: number; length: number }> {
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
async function directoryOf(file: RandomAccess, tail: Buffer, endOffset: number, tailStart: number) {
  if (tail.readUInt16LE(endOffset + 4) !== tail.readUInt16LE(endOffset + 6)) throw damagedArchive()
  const locator = endOffset - LOCATOR_BYTES
  const isZip64 = locator >= 0 && tail.readUInt32LE(locator) === LOCATOR64
  let [end, count] = [tailStart + endOffset, tail.readUInt16LE(endOffset + 10)]
  let [length, offset] = [tail.readUInt32LE(endOffset + 12), tail.readUInt32LE(endOffset + 16)]
  if (isZip64) {
    end = exactNumber(tail.readBigUInt64LE(locator + 8))
    const zip64 = await readAll(file, end, END64_BYTES)
    if (zip64.length < END64_BYTES || zip64.readUInt32LE(0) !== END64) throw damagedArchive()
    count = exactNumber(zip64.readBigUInt64LE(32))
    length = exactNumber(zip64.readBigUInt64LE(40))
    offset = exactNumber(zip64.readBigUInt64LE(48))
  }
  if (offset + length > end) throw damagedArchive()
  if (count > LIMITS.extractEntriesMax) throw archiveTooLarge('it has too many entries')
  return { start: offset, length }
}

async function readAll(file: RandomAccess, start: number, length: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of file.read(start, length)) parts.push(part)
  return Buffer.concat(parts)
}

/** Id of an extra field → its data. */
function extraFields(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>()
  for (let offset = 0; offset + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(offset + 2)
    fields.set(bytes.readUInt16LE(offset), bytes.subarray(offset + 4, offset + 4 + length))
    offset += 4 + length
  }
  return fields
}

/** @returns the UTF-8 name in an Info-ZIP field; undefined if the checksum in it is not that of `name` */
function unicodeName(field: Buffer | undefined, name: Buffer): Buffer | undefined {
  if (!field || field.length < 5 || field.readUInt8(0) !== 1) return undefined
  return field.readUInt32LE(1) === crc32(name) ? field.subarray(5) : undefined
}

/**
 * The time in the extra fields, of Info-ZIP or NTFS; without one the DOS time, which is local and in steps of two seconds.
 * Undefined if the archive has no time: a day and a month of a DOS time begin with 1.
 */
function modifiedAt(extra: Map<number, Buffer>, fixed: Buffer): number | undefined {
  const field = extra.get(0x5455)
  if (field && field.length >= 5 && (field.readUInt8(0) & 1) !== 0) {
    return field.readInt32LE(1) * 1000
  }
  const ntfs = extra.get(0x000a)
  if (ntfs && ntfs.length >= 32 && ntfs.readUInt32LE(4) === NTFS_TIMES) {
    return clampTime(Number(ntfs.readBigUInt64LE(8) / 10_000n) - NTFS_EPOCH_MS)
  }
  const [time, date] = [fixed.readUInt16LE(12), fixed.readUInt16LE(14)]
  if (date === 0) return undefined
  const day = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31] as const
  return new Date(...day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime()
}

/** @throws Fault unprocessable if the number is not exact */
function exactNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damagedArchive()
  return Number(value)
}
