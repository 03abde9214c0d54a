/**
 * Writes a tar archive: ustar headers, with pax records for values that do not fit (POSIX.1-2001). A name that is not UTF-8
 * is written as it is; a long one needs the record of GNU, because a pax record is UTF-8.
 */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Room } from '#server/storage/file-starts.ts'
import type { Node } from '#server/storage/node.ts'
import { bytesOfName, hasEscapes } from '#wire/names.ts'
import type { Bytes } from '../member.ts'
import { inChunks, withoutDrive } from './archive-bytes.ts'
import type { NamedNode } from './archive-walk.ts'
import { contentsOf } from './file-contents.ts'

const BLOCK = 512
const NAME_BYTES = 100
/** The maximum of eleven octal digits. */
const SIZE_MAX = 8 ** 11 - 1
/** The range of times in a header: from 1970 to 2242. */
const SECONDS_MAX = SIZE_MAX
const SUM_BYTES = 8
const SPACE = 0x20
const DIGIT_0 = 0x30
const encoder = new TextEncoder()
/** `ustar`, a NUL and the version. */
const MAGIC = encoder.encode('ustar\u000000')
const ASCII = /^[\x20-\x7e]*$/

/**
 * Writes the members as a tar. At an early end or error the open file is closed.
 *
 * @throws Fault as `Scope.read`; Error for a file that becomes shorter
 */
export async function* tar(scope: Scope, members: AsyncIterable<NamedNode>): Bytes {
  yield* inChunks(partsOf(scope, members))
}

async function* partsOf(scope: Scope, members: AsyncIterable<NamedNode>): Bytes {
  for await (const { name, node, bytes, framed, file } of contentsOf(scope, members, roomOf)) {
    if (node.kind === 'folder') {
      yield header(`${name}/`, node, 0)
    } else if (framed) {
      framed.set(header(name, node, node.sizeBytes))
      yield framed
    } else if (bytes) {
      yield header(name, node, bytes.length)
      yield bytes
      yield new Uint8Array(paddingBytes(bytes.length))
    } else if (file) {
      yield header(name, file.node, file.node.sizeBytes)
      yield* file.bytes
      yield new Uint8Array(paddingBytes(file.node.sizeBytes))
    }
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** The room for the headers before the content of a file, and for the padding after it. */
function roomOf({ name, node }: NamedNode): Room {
  const { sizeBytes } = node
  const extensions = extensionsOf(withoutDrive(name), secondsOf(node), sizeBytes)
  return { before: (extensions?.length ?? 0) + BLOCK, after: paddingBytes(sizeBytes) }
}

/** The header of a member, preceded by the records for what does not fit into it. */
function header(name: string, node: Node, sizeBytes: number): Uint8Array {
  const memberName = withoutDrive(name)
  const seconds = secondsOf(node)
  const extensions = extensionsOf(memberName, seconds, sizeBytes)
  const fileHeader = block({
    name: bytesOfName(memberName),
    type: node.kind === 'folder' ? '5' : '0',
    mode: node.mode & 0o777,
    seconds: Math.min(Math.max(0, seconds), SECONDS_MAX),
    size: Math.min(sizeBytes, SIZE_MAX),
  })
  return extensions ? Buffer.concat([extensions, fileHeader]) : fileHeader
}

/** The records for what does not fit into a header; undefined if all fits. */
function extensionsOf(
  memberName: string,
  seconds: number,
  sizeBytes: number,
): Uint8Array | undefined {
  const isOther = hasEscapes(memberName)
  const longName = isOther ? longNameOf(bytesOfName(memberName)) : undefined
  const records = paxRecords(isOther ? '' : memberName, seconds, sizeBytes)
  if (!records) return longName
  const pax = Buffer.concat(record('PaxHeader', 'x', records))
  return longName ? Buffer.concat([longName, pax]) : pax
}

/** The record of GNU tar for a long name; undefined if the name fits into the header. */
function longNameOf(name: Uint8Array): Uint8Array | undefined {
  if (name.length <= NAME_BYTES) return undefined
  return Buffer.concat(record('././@LongLink', 'L', Buffer.concat([name, new Uint8Array(1)])))
}

function record(name: string, type: string, content: Uint8Array): Uint8Array[] {
  const size = content.length
  const head = block({ name: encoder.encode(name), type, mode: 0o644, seconds: 0, size })
  return [head, content, new Uint8Array(paddingBytes(size))]
}

function secondsOf({ modifiedMs }: Node): number {
  return Math.floor(modifiedMs / 1000)
}

/** The values that do not fit into a header; undefined if all fit. */
function paxRecords(
  memberName: string,
  seconds: number,
  sizeBytes: number,
): Uint8Array | undefined {
  const isPlain = ASCII.test(memberName) && memberName.length <= NAME_BYTES
  const path = isPlain ? '' : paxRecord('path', memberName)
  const size = sizeBytes > SIZE_MAX ? paxRecord('size', String(sizeBytes)) : ''
  const time = seconds < 0 || seconds > SECONDS_MAX ? paxRecord('mtime', String(seconds)) : ''
  return path || size || time ? encoder.encode(path + size + time) : undefined
}

/** `30 path=…` and a newline; the number is the length of the whole record. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest
  while (length !== rest + String(length).length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

interface Header {
  name: Uint8Array
  type: string
  mode: number
  seconds: number
  size: number
}

/** Offsets of the ustar fields. */
const FIELD = {
  name: 0,
  mode: 100,
  uid: 108,
  gid: 116,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
  magic: 257,
} as const

/** The rest of a header is empty. */
const FIELDS_END = FIELD.magic + MAGIC.length

function block({ name, type, mode, seconds, size }: Header): Uint8Array {
  const bytes = new Uint8Array(BLOCK)
  // A long or non-ASCII name is in the pax record; this one is for old programs.
  bytes.set(name.subarray(0, NAME_BYTES))
  putOctal(bytes, FIELD.mode, 7, mode)
  putOctal(bytes, FIELD.uid, 7, 0)
  putOctal(bytes, FIELD.gid, 7, 0)
  putOctal(bytes, FIELD.size, 11, size)
  putOctal(bytes, FIELD.time, 11, seconds)
  bytes[FIELD.type] = type.charCodeAt(0)
  bytes.set(MAGIC, FIELD.magic)
  bytes.fill(SPACE, FIELD.sum, FIELD.sum + SUM_BYTES)
  // Indexed: an iterator would take a quarter of the time of an archive.
  let sum = 0
  for (let index = 0; index < FIELDS_END; index += 1) sum += bytes[index] ?? 0
  putOctal(bytes, FIELD.sum, 6, sum)
  bytes[FIELD.sum + 6] = 0
  return bytes
}

/** Writes a number as ASCII digits. */
function putOctal(bytes: Uint8Array, offset: number, digits: number, value: number): void {
  let rest = value
  for (let position = digits - 1; position >= 0; position -= 1) {
    bytes[offset + position] = DIGIT_0 + (rest % 8)
    rest = Math.floor(rest / 8)
  }
}

/** How many bytes follow content of this length, up to the next block. */
function paddingBytes(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK
}
