/**
 * Reads the members of a tar in one pass: ustar, pax records (POSIX.1-2001), and GNU's long names and large numbers.
 */
import { clampTime } from '#wire/api/entry.ts'
import { nameOfBytes } from '#wire/names.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Bytes, damagedArchive, type Member, type Members, memberName } from '../member.ts'
import { ByteReader } from '../streams/byte-reader.ts'
import { pathInArchive } from './member-tree.ts'
import { isLength, type PaxRecords, paxRecords } from './tar-pax.ts'
import {
  piecesOfHeader,
  piecesOfNumbers,
  requirePlausible,
  type SparseMap,
  withHoles,
} from './tar-sparse.ts'

const BLOCK = 512
/** Limit of one pax header or long name. */
const RECORDS_MAX_BYTES = 1024 * 1024
const LINK = 'It is a link, and is left out.'
const PROBLEMS: Record<string, string> = {
  '2': LINK,
  '3': 'It is a device file, and is left out.',
  '4': 'It is a device file, and is left out.',
  '6': 'It is a named pipe, and is left out.',
}
/** A further name of an earlier file. */
const HARD_LINK = '1'

/** @throws Fault unprocessable for an invalid or truncated tar */
export async function* tarMembers(bytes: Bytes): Members {
  const reader = new ByteReader(bytes)
  /** The sizes of the files so far, by their paths. */
  const sizes = new Map<TreePath, number>()
  try {
    let records: PaxRecords = {}
    for (;;) {
      const block = await reader.readExactly(BLOCK)
      if (!block || isEmpty(block)) break
      const header = parseHeader(block)
      if (header.type === 'x' || header.type === 'L' || header.type === 'K') {
        const text = await recordBytes(reader, header.size)
        if (header.type === 'x') Object.assign(records, paxRecords(text))
        else
          records[header.type === 'L' ? 'path' : 'linkPath'] = text.subarray(0, lengthTo(text, 0))
        continue
      }
      // Global pax records are skipped.
      const isSkipped = header.type === 'g'
      const sparse = await sparseMapOf(header, block, records, reader)
      const size = isSkipped ? header.size : (records.size ?? header.size)
      let unread = size
      const content = reader.parts(size)
      if (!isSkipped) {
        const stored = async function* () {
          for await (const part of content) {
            unread -= part.length
            yield part
          }
        }
        const plain = memberOf(header, records, sparse?.sizeBytes ?? size, stored)
        const isLink = header.type === HARD_LINK && size === 0
        const linkName = nameOfBytes(records.linkPath ?? header.linkName)
        records = {}
        const member = isLink ? linkedMember(plain, linkName, sizes) : plain
        const path = member.kind === 'file' ? pathInArchive(member) : undefined
        if (path !== undefined) sizes.set(path, member.sizeBytes)
        yield sparse
          ? { ...member, isSparse: true, read: () => withHoles(stored(), sparse) }
          : member
      }
      await reader.skip(unread + padding(size))
    }
    // Reads to the end, so that the checksum of the compression is verified.
    while (await reader.readUpTo(BLOCK * BLOCK));
  } finally {
    await reader.end()
  }
}

/** Bit of a Unix mode: the owner may execute the file. */
const OWNER_EXECUTES = 0o100

/** A file that has the content of an earlier one; a problem if there is none. */
function linkedMember(
  member: Member,
  linkTo: string,
  sizes: ReadonlyMap<TreePath, number>,
): Member {
  const target = pathInArchive({ name: linkTo, problem: '' })
  const sizeBytes = target === undefined ? undefined : sizes.get(target)
  if (member.problem !== '') return member
  if (sizeBytes === undefined) return { ...member, kind: 'other', problem: LINK }
  return { ...member, linkTo, sizeBytes }
}

/** The data of a sparse file; undefined for other files. */
async function sparseMapOf(
  { type }: Header,
  block: Uint8Array,
  { sparseSize, sparseNumbers }: PaxRecords,
  reader: ByteReader,
): Promise<SparseMap | undefined> {
  if (type === 'S') {
    const pieces = await piecesOfHeader(block, reader, (from, start) => lengthAt(from, start, 12))
    const map = { sizeBytes: lengthAt(block, 483, 12), pieces }
    requirePlausible(map)
    return map
  }
  if (sparseSize === undefined || !isFileType(type)) return undefined
  const map = {
    sizeBytes: sparseSize,
    pieces: sparseNumbers && piecesOfNumbers(sparseNumbers),
  }
  requirePlausible(map)
  return map
}

interface Header {
  name: Uint8Array
  linkName: Uint8Array
  type: string
  size: number
  mode: number
  modifiedMs: number
}

function memberOf(
  { name, type, mode, modifiedMs }: Header,
  records: PaxRecords,
  sizeBytes: number,
  read: () => Bytes,
): Member {
  const { name: spelled, problem: nameProblem } = memberName(records.path ?? name)
  const isFolder = type === '5' || (isFileType(type) && spelled.endsWith('/'))
  const problem = nameProblem || (PROBLEMS[type] ?? '')
  const isOther = problem !== '' || !(isFolder || isFileType(type))
  return {
    name: spelled,
    kind: isOther ? 'other' : isFolder ? 'folder' : 'file',
    sizeBytes,
    modifiedMs: clampTime(records.modifiedMs ?? modifiedMs),
    isExecutable: (mode & OWNER_EXECUTES) !== 0,
    problem: isOther && problem === '' ? 'It is of a kind that cannot be extracted.' : problem,
    read,
  }
}

function isFileType(type: string): boolean {
  return ['0', '\0', '7', 'S', HARD_LINK].includes(type)
}

/** @throws Fault unprocessable if the checksum does not match */
function parseHeader(block: Uint8Array): Header {
  let sum = 8 * 0x20
  for (let index = 0; index < BLOCK; index += 1) {
    if (index < 148 || index >= 156) sum += block[index] ?? 0
  }
  if (numberAt(block, 148, 8) !== sum) throw damagedArchive()
  const magic = Buffer.from(block.subarray(257, 263)).toString('latin1')
  const name = field(block, 0, 100)
  // GNU uses the prefix field differently.
  const prefix = magic === 'ustar\0' ? field(block, 345, 155) : new Uint8Array()
  const fullName = prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name
  return {
    name: fullName,
    linkName: field(block, 157, 100),
    type: String.fromCharCode(block[156] ?? 0),
    size: lengthAt(block, 124, 12),
    mode: modeAt(block),
    modifiedMs: numberAt(block, 136, 12) * 1000,
  }
}

/** The mode; 0 if it is absent or no number, as some programs write it. */
function modeAt(block: Uint8Array): number {
  const digits = Buffer.from(field(block, 100, 8))
    .toString('latin1')
    .trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 0
}

function field(block: Uint8Array, start: number, length: number): Uint8Array {
  const bytes = block.subarray(start, start + length)
  return bytes.subarray(0, lengthTo(bytes, 0))
}

/**
 * Parses octal digits, or GNU's binary number if the first bit is set.
 *
 * @throws Fault unprocessable (neither, or too large)
 */
function numberAt(block: Uint8Array, start: number, length: number): number {
  const bytes = block.subarray(start, start + length)
  const first = bytes[0] ?? 0
  if (first < 0x80) {
    const text = Buffer.from(bytes)
      .toString('latin1')
      .replace(/^[ \0]+/, '')
      .replace(/[ \0].*$/s, '')
    if (!/^[0-7]*$/.test(text)) throw damagedArchive()
    return text === '' ? 0 : Number.parseInt(text, 8)
  }
  // Two's complement: a negative number is a time before 1970.
  let value = first >= 0xc0 ? (first & 0x3f) - 0x40 : first & 0x3f
  for (const byte of bytes.subarray(1)) value = value * 256 + byte
  if (!Number.isSafeInteger(value)) throw damagedArchive()
  return value
}

/** @throws Fault unprocessable, also for a negative number */
function lengthAt(block: Uint8Array, start: number, length: number): number {
  const value = numberAt(block, start, length)
  if (!isLength(value)) throw damagedArchive()
  return value
}

async function recordBytes(reader: ByteReader, size: number): Promise<Uint8Array> {
  if (size > RECORDS_MAX_BYTES) throw damagedArchive()
  const bytes = size === 0 ? new Uint8Array() : await reader.readRequired(size)
  await reader.skip(padding(size))
  return bytes
}

/** The length before the first byte `end`; the whole length if there is none. */
function lengthTo(bytes: Uint8Array, end: number): number {
  const index = bytes.indexOf(end)
  return index < 0 ? bytes.length : index
}

function isEmpty(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0)
}

/** The bytes that fill the last block. */
function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}
