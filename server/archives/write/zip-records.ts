/**
 * The records of a zip (PKWARE's APPNOTE 6.3.10) with uncompressed members, so that all offsets and the total size
 * are known in advance.
 */

/** The metadata of a member. */
export interface ZipEntry {
  /** UTF-8. */
  name: Uint8Array
  isFolder: boolean
  sizeBytes: number
  /** Permission bits. */
  mode: number
  modifiedMs: number
  /** The CRC follows the bytes, because it is computed while they are sent. */
  crcFollows: boolean
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const END_64_LOCATOR = 0x07064b50

const VERSION = 20
const VERSION_64 = 45
const MADE_BY_UNIX = 3 << 8
const FLAG_CRC_FOLLOWS = 0x0008
const FLAG_UTF8 = 0x0800
const EXTRA_64 = 0x0001
/** Seconds from 1970 on, as Info-ZIP writes them; the DOS time is local and has even seconds only. */
const EXTRA_TIME = 0x5455
const TIME_IS_MODIFIED = 1
/** Times of NTFS, for those before 1901 and after 2038. */
const EXTRA_NTFS = 0x000a
const NTFS_TIMES = 0x0001
/** Between 1601, when these times begin, and 1970. */
const NTFS_EPOCH_SECONDS = 11_644_473_600
const NTFS_UNITS_PER_SECOND = 10_000_000

const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
const [SECONDS_MIN, SECONDS_MAX] = [-(2 ** 31), 2 ** 31 - 1]
const S_IFREG = 0o100000
const S_IFDIR = 0o40000
const DOS_FOLDER = 0x10

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const TIME_BYTES = 9
const NTFS_BYTES = 36
const DESCRIPTOR_BYTES = 16
const DESCRIPTOR_64_BYTES = 24
/** The length of the header of a ZIP64 field, and of each of its values. */
const WIDE_BYTES = 4
const NUMBER_BYTES = 8

/** Length of `localRecord`. */
export function localLength(entry: ZipEntry): number {
  const { name, sizeBytes } = entry
  const wide = sizeBytes >= MAX_32 ? WIDE_BYTES + 2 * NUMBER_BYTES : 0
  return LOCAL_BYTES + name.length + wide + timeLength(entry)
}

/** Length of `descriptor`; 0 if there is none. */
export function descriptorLength({ sizeBytes, crcFollows }: ZipEntry): number {
  if (!crcFollows) return 0
  return sizeBytes >= MAX_32 ? DESCRIPTOR_64_BYTES : DESCRIPTOR_BYTES
}

/** Length of `centralRecord`. */
export function centralLength(entry: ZipEntry, offset: number): number {
  const { name, sizeBytes } = entry
  const numbers = (sizeBytes >= MAX_32 ? 2 : 0) + (offset >= MAX_32 ? 1 : 0)
  const wide = numbers > 0 ? WIDE_BYTES + numbers * NUMBER_BYTES : 0
  return CENTRAL_BYTES + name.length + wide + timeLength(entry)
}

/**
 * The record before a member's bytes.
 *
 * @param crc 0 if it follows the bytes
 */
export function localRecord(entry: ZipEntry, crc: number): Uint8Array {
  const is64 = entry.sizeBytes >= MAX_32
  const size = is64 ? MAX_32 : entry.sizeBytes
  const extra = [...(is64 ? [extra64([entry.sizeBytes, entry.sizeBytes])] : []), extraTime(entry)]
  const record = new RecordWriter(LOCAL_BYTES)
  record.u32(LOCAL).u16(is64 ? VERSION_64 : VERSION)
  common(record, entry, crc, size)
  record.u16(entry.name.length).u16(lengthOf(extra))
  return Buffer.concat([record.bytes, entry.name, ...extra])
}

/** The record after the bytes of a member whose CRC follows. */
export function descriptor({ sizeBytes }: ZipEntry, crc: number): Uint8Array {
  const is64 = sizeBytes >= MAX_32
  const record = new RecordWriter(is64 ? DESCRIPTOR_64_BYTES : DESCRIPTOR_BYTES)
    .u32(DESCRIPTOR)
    .u32(crc)
  if (is64) record.u64(sizeBytes).u64(sizeBytes)
  else record.u32(sizeBytes).u32(sizeBytes)
  return record.bytes
}

/**
 * The record of a member in the central directory.
 *
 * @param offset of its local record
 */
export function centralRecord(entry: ZipEntry, crc: number, offset: number): Uint8Array {
  const large = [entry.sizeBytes, entry.sizeBytes].filter((size) => size >= MAX_32)
  if (offset >= MAX_32) large.push(offset)
  const extra = [...(large.length > 0 ? [extra64(large)] : []), extraTime(entry)]
  const version = large.length > 0 ? VERSION_64 : VERSION
  const kind = entry.isFolder ? S_IFDIR : S_IFREG
  const record = new RecordWriter(CENTRAL_BYTES)
    .u32(CENTRAL)
    .u16(MADE_BY_UNIX | version)
    .u16(version)
  common(record, entry, crc, Math.min(entry.sizeBytes, MAX_32))
  record.u16(entry.name.length).u16(lengthOf(extra))
  // No comment, the first disk, no internal attributes.
  record.u16(0).u16(0).u16(0)
  record.u32(((kind | entry.mode) * 0x10000 + (entry.isFolder ? DOS_FOLDER : 0)) >>> 0)
  record.u32(Math.min(offset, MAX_32))
  return Buffer.concat([record.bytes, entry.name, ...extra])
}

/**
 * The end records of a zip.
 *
 * @param count the number of members
 * @param bytes the length of the central directory
 * @param offset where the central directory begins
 */
export function endRecords(count: number, bytes: number, offset: number): Uint8Array {
  const end = new RecordWriter(22)
    .u32(END)
    .u16(0)
    .u16(0)
    .u16(Math.min(count, MAX_16))
    .u16(Math.min(count, MAX_16))
    .u32(Math.min(bytes, MAX_32))
    .u32(Math.min(offset, MAX_32))
    .u16(0)
  if (count < MAX_16 && bytes < MAX_32 && offset < MAX_32) return end.bytes
  const end64 = new RecordWriter(56)
    .u32(END_64)
    .u64(44)
    .u16(MADE_BY_UNIX | VERSION_64)
    .u16(VERSION_64)
    .u32(0)
    .u32(0)
    .u64(count)
    .u64(count)
    .u64(bytes)
    .u64(offset)
  const locator = new RecordWriter(20)
    .u32(END_64_LOCATOR)
    .u32(0)
    .u64(offset + bytes)
    .u32(1)
  return Buffer.concat([end64.bytes, locator.bytes, end.bytes])
}

/** Writes the fields that both records of a member share. */
function common(record: RecordWriter, entry: ZipEntry, crc: number, size: number): void {
  record.u16(FLAG_UTF8 | (entry.crcFollows ? FLAG_CRC_FOLLOWS : 0))
  // The compression method: stored.
  record.u16(0)
  const { time, date } = dosTime(entry.modifiedMs)
  record.u16(time).u16(date).u32(crc).u32(size).u32(size)
}

function extra64(numbers: readonly number[]): Uint8Array {
  const record = new RecordWriter(WIDE_BYTES + NUMBER_BYTES * numbers.length)
    .u16(EXTRA_64)
    .u16(8 * numbers.length)
  for (const number of numbers) record.u64(number)
  return record.bytes
}

function extraTime({ modifiedMs }: ZipEntry): Uint8Array {
  const seconds = Math.floor(modifiedMs / 1000)
  if (needsNtfsTime(modifiedMs)) return ntfsTime(seconds)
  const record = new RecordWriter(TIME_BYTES).u16(EXTRA_TIME).u16(5).u8(TIME_IS_MODIFIED)
  return record.u32(seconds >>> 0).bytes
}

/** The times of modification, access and creation: all three are that of the modification. */
function ntfsTime(seconds: number): Uint8Array {
  const units = Math.max(0, seconds + NTFS_EPOCH_SECONDS) * NTFS_UNITS_PER_SECOND
  const record = new RecordWriter(NTFS_BYTES)
    .u16(EXTRA_NTFS)
    .u16(NTFS_BYTES - WIDE_BYTES)
    .u32(0)
  return record.u16(NTFS_TIMES).u16(24).u64(units).u64(units).u64(units).bytes
}

function timeLength({ modifiedMs }: ZipEntry): number {
  return needsNtfsTime(modifiedMs) ? NTFS_BYTES : TIME_BYTES
}

/** Whether a time exceeds a signed number of 32 bits. */
function needsNtfsTime(modifiedMs: number): boolean {
  const seconds = Math.floor(modifiedMs / 1000)
  return seconds < SECONDS_MIN || seconds > SECONDS_MAX
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

/** Local time from 1980 to 2107, in steps of two seconds. */
function dosTime(modifiedMs: number): { time: number; date: number } {
  const local = new Date(modifiedMs)
  const year = local.getFullYear() - 1980
  if (!(year >= 0)) return { time: 0, date: (1 << 5) | 1 }
  if (year > 127) return { time: MAX_16, date: MAX_16 }
  return {
    time: (local.getHours() << 11) | (local.getMinutes() << 5) | (local.getSeconds() >> 1),
    date: (year << 9) | ((local.getMonth() + 1) << 5) | local.getDate(),
  }
}

/** Writes little-endian numbers. */
class RecordWriter {
  readonly bytes: Buffer
  #offset = 0

  constructor(length: number) {
    this.bytes = Buffer.alloc(length)
  }

  u8(value: number): this {
    this.#offset = this.bytes.writeUInt8(value, this.#offset)
    return this
  }

  u16(value: number): this {
    this.#offset = this.bytes.writeUInt16LE(value, this.#offset)
    return this
  }

  u32(value: number): this {
    this.#offset = this.bytes.writeUInt32LE(value, this.#offset)
    return this
  }

  u64(value: number): this {
    return this.u32(value % 2 ** 32).u32(Math.floor(value / 2 ** 32))
  }
}
