/**
 * Reads the members of a tar in one pass: ustar, pax records (POSIX.1-2001), and GNU's long names and large numbers.
 */
import { clampTime } from '#wire/entry.ts'
import { ByteReader } from './byte-reader.ts'
import { type Bytes, damagedArchive, type Member, type Members, memberName } from './member.ts'

const BLOCK = 512
/** Limit of one pax header or long name. */
const RECORDS_MAX_BYTES = 1024 * 1024
const SPARSE = 'It is a sparse file, and cannot be extracted.'
const PROBLEMS: Record<string, string> = {
  '1': 'It is a link, and is left out.',
  '2': 'It is a link, and is left out.',
  '3': 'It is a device file, and is left out.',
  '4': 'It is a device file, and is left out.',
  '6': 'It is a named pipe, and is left out.',
  S: SPARSE,
}

/** Values of the records before a header; they replace those of the header. */
interface Records {
  path?: Uint8Array
  size?: number
  modifiedMs?: number
  isSparse?: boolean
}

/** @throws Fault unprocessable for an invalid or truncated tar */
export async function* tarMembers(bytes: Bytes): Members {
  const reader = new ByteReader(bytes)
  try {
    let records: Records = {}
    for (;;) {
      const block = await reader.readExactly(BLOCK)
      if (!block || isEmpty(block)) break
      const header = parseHeader(block)
      if (header.type === 'x' || header.type === 'L') {
        const text = await recordBytes(reader, header.size)
        if (header.type === 'x') Object.assign(records, paxRecords(text))
        else records.path = text.subarray(0, lengthTo(text, 0))
        continue
      }
      // Global pax records and long link names are skipped.
      const isSkipped = header.type === 'g' || header.type === 'K'
      const size = isSkipped ? header.size : (records.size ?? header.size)
      let unread = size
      const content = reader.parts(size)
      if (!isSkipped) {
        const member = memberOf(header, records, size, async function* () {
          for await (const part of content) {
            unread -= part.length
            yield part
          }
        })
        records = {}
        yield member
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

interface Header {
  name: Uint8Array
  type: string
  size: number
  mode: number
  modifiedMs: number
}

function memberOf(
  { name, type, mode, modifiedMs }: Header,
  records: Records,
  sizeBytes: number,
  read: () => Bytes,
): Member {
  const { name: spelled, problem: nameProblem } = memberName(records.path ?? name)
  const isFolder = type === '5' || (isFileType(type) && spelled.endsWith('/'))
  const problem = nameProblem || (records.isSparse ? SPARSE : (PROBLEMS[type] ?? ''))
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
  return type === '0' || type === '\0' || type === '7'
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

/**
 * `30 path=…` and a newline; the number is the length of the whole record.
 *
 * @throws Fault unprocessable (malformed)
 */
function paxRecords(bytes: Uint8Array): Records {
  const records: Records = {}
  for (let start = 0; start < bytes.length; ) {
    const spaceOffset = bytes.indexOf(0x20, start)
    const length = Number(Buffer.from(bytes.subarray(start, spaceOffset)).toString('latin1'))
    const equalsOffset = bytes.indexOf(0x3d, spaceOffset)
    const end = start + length
    const isWhole =
      spaceOffset > start &&
      Number.isSafeInteger(length) &&
      equalsOffset > spaceOffset &&
      equalsOffset < end
    if (!isWhole || end > bytes.length) throw damagedArchive()
    const key = Buffer.from(bytes.subarray(spaceOffset + 1, equalsOffset)).toString('latin1')
    const value = bytes.subarray(equalsOffset + 1, end - 1)
    start = end
    if (key === 'path') records.path = value
    else if (key === 'size') records.size = paxNumber(value)
    else if (key === 'mtime') records.modifiedMs = Math.round(paxNumber(value) * 1000)
    else if (key.startsWith('GNU.sparse.')) records.isSparse = true
  }
  if (records.size !== undefined && !isLength(records.size)) throw damagedArchive()
  return records
}

function isLength(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function paxNumber(value: Uint8Array): number {
  const text = Buffer.from(value).toString('latin1')
  if (!/^-?\d{1,16}(?:\.\d*)?$/.test(text)) throw damagedArchive()
  return Number(text)
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
