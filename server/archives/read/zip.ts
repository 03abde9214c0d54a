/**
 * Reads the members of a zip as listed in its central directory (APPNOTE.TXT 4.3, with zip64). Each member is read by
 * its own range and verified by its checksum.
 */
import { crc32 } from 'node:zlib'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { clampTime } from '#wire/api/entry.ts'
import type { NameEncoding } from '#wire/name-encodings.ts'
import {
  archiveTooLarge,
  type Bytes,
  damagedArchive,
  encryptedArchive,
  type Member,
  type Members,
  memberName,
} from '../member.ts'
import { ByteReader } from '../streams/byte-reader.ts'
import {
  type Directory,
  exactNumber,
  FIELD_MAX_BYTES,
  findDirectory,
  type RandomAccess,
  recordsOf,
} from './zip-directory.ts'
import { isKnownMethod, unknownMethod, unpacked } from './zip-methods.ts'
import { addToSurvey, decodedName, emptySurvey, type RawName } from './zip-names.ts'

const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const ALL_ONES = 0xffffffff
const [FAT, UNIX, NTFS] = [0, 3, 10]
/** Bit of the flags: the name is UTF-8. */
const IS_UTF8 = 0x0800
/** The attribute of an NTFS field with the times: its number, and its length of 24 in the upper half. */
const NTFS_TIMES = 0x00180001
/** Between 1601, when the times of NTFS begin, and 1970. */
const NTFS_EPOCH_MS = 11_644_473_600_000
const [KIND_BITS, FOLDER, FILE, LINK] = [0o170000, 0o040000, 0o100000, 0o120000]

/**
 * @param encoding of names for which the zip gives none; guessed by default
 * @throws Fault unprocessable (not a zip, damaged, encrypted), tooLarge
 */
export async function* zipMembers(file: RandomAccess, encoding?: NameEncoding): Members {
  const directory = await findDirectory(file)
  if (directory.length > SERVER_LIMITS.extractNamesMaxBytes)
    throw archiveTooLarge('it has too many entries')
  const survey = emptySurvey()
  for await (const { fixed, rest } of recordsOf(file, directory)) {
    addToSurvey(survey, rawNameOf(fixed, rest))
  }
  for await (const { fixed, rest } of recordsOf(file, directory)) {
    const name = decodedName(rawNameOf(fixed, rest), survey, encoding)
    yield memberOf(file, directory, entryOf(fixed, rest, name))
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

function rawNameOf(fixed: Buffer, rest: Buffer): RawName {
  const bytes = rest.subarray(0, fixed.readUInt16LE(28))
  const unicode = unicodeName(extraOf(fixed, rest).get(0x7075), bytes)
  const isUnicode = unicode !== undefined || (fixed.readUInt16LE(8) & IS_UTF8) !== 0
  return { bytes: unicode ?? bytes, isUnicode, isDos: [FAT, NTFS].includes(fixed.readUInt8(5)) }
}

function extraOf(fixed: Buffer, rest: Buffer): Map<number, Buffer> {
  const nameBytes = fixed.readUInt16LE(28)
  return extraFields(rest.subarray(nameBytes, nameBytes + fixed.readUInt16LE(30)))
}

function entryOf(fixed: Buffer, rest: Buffer, name: Uint8Array): DirectoryEntry {
  const extra = extraOf(fixed, rest)
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
    ...memberName(name),
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

function memberOf(file: RandomAccess, directory: Directory, entry: DirectoryEntry): Member {
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
        : isFolder || isKnownMethod(method)
          ? ''
          : unknownMethod(method)
  const problem = entry.problem || kindProblem
  return {
    name,
    kind: problem !== '' ? 'other' : isFolder ? 'folder' : 'file',
    sizeBytes: isFolder ? 0 : sizeBytes,
    modifiedMs,
    isExecutable: (mode & OWNER_EXECUTES) !== 0,
    problem,
    read: () => contentOf(file, directory, entry),
  }
}

/**
 * @param directory ends the members
 * @throws Fault unprocessable if length or checksum differ from the directory
 */
async function* contentOf(
  file: RandomAccess,
  { start: directoryStart, prefixBytes }: Directory,
  entry: DirectoryEntry,
): Bytes {
  const { method, packedBytes, sizeBytes } = entry
  const offset = prefixBytes + entry.offset
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
    for await (const part of unpacked(method, packed)) {
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
