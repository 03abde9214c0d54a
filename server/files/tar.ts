/** Writes a tar archive: ustar headers, with pax records for values that do not fit (POSIX.1-2001). */
import type { Scope } from '#server/access/scope.ts'
import type { Bytes } from '#server/extract/member.ts'
import type { Node } from '#server/storage/node.ts'
import { inChunks, withoutDrive } from './archive-bytes.ts'
import type { NamedNode } from './archive-walk.ts'
import { contentsOf, type Room } from './file-contents.ts'

const BLOCK = 512
const NAME_BYTES = 100
/** The maximum of eleven octal digits. */
const SIZE_MAX = 8 ** 11 - 1
/** The largest signed number of 32 bits, which every program can read as a time. */
const SECONDS_MAX = 2 ** 31 - 1
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

/** The bytes around the content of a file. */
function roomOf({ name, node: { sizeBytes } }: NamedNode): Room {
  const pax = paxRecords(withoutDrive(name), sizeBytes).length
  const paxBlocks = pax > 0 ? BLOCK + pax + paddingBytes(pax) : 0
  return { before: paxBlocks + BLOCK, after: paddingBytes(sizeBytes) }
}

/** The header of a member, preceded by a pax header if needed. */
function header(name: string, node: Node, sizeBytes: number): Uint8Array {
  const memberName = withoutDrive(name)
  const records = paxRecords(memberName, sizeBytes)
  const own = block({
    name: memberName,
    type: node.kind === 'folder' ? '5' : '0',
    mode: node.mode & 0o777,
    seconds: Math.min(Math.max(0, Math.floor(node.modifiedMs / 1000)), SECONDS_MAX),
    size: Math.min(sizeBytes, SIZE_MAX),
  })
  if (records.length === 0) return own
  const size = records.length
  const pax = block({ name: 'PaxHeader', type: 'x', mode: 0o644, seconds: 0, size })
  return Buffer.concat([pax, records, new Uint8Array(paddingBytes(size)), own])
}

/** The values that do not fit into a header; empty if all fit. */
function paxRecords(memberName: string, sizeBytes: number): Uint8Array {
  const isPlain = ASCII.test(memberName) && memberName.length <= NAME_BYTES
  const path = isPlain ? '' : paxRecord('path', memberName)
  const size = sizeBytes > SIZE_MAX ? paxRecord('size', String(sizeBytes)) : ''
  return Buffer.from(path + size)
}

/** `30 path=…` and a newline; the number is the length of the whole record. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest
  while (length !== rest + String(length).length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

interface Header {
  name: string
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

function block({ name, type, mode, seconds, size }: Header): Uint8Array {
  const bytes = Buffer.alloc(BLOCK)
  // A long or non-ASCII name is in the pax record; this one is for old programs.
  Buffer.from(name).copy(bytes, FIELD.name, 0, NAME_BYTES)
  bytes.write(octal(mode, 7), FIELD.mode)
  bytes.write(octal(0, 7), FIELD.uid)
  bytes.write(octal(0, 7), FIELD.gid)
  bytes.write(octal(size, 11), FIELD.size)
  bytes.write(octal(seconds, 11), FIELD.time)
  bytes.write(' '.repeat(8), FIELD.sum)
  bytes.write(type, FIELD.type)
  bytes.write('ustar\u000000', FIELD.magic)
  // Indexed: an iterator would take a quarter of the time of an archive.
  let sum = 0
  for (let index = 0; index < BLOCK; index += 1) sum += bytes[index] ?? 0
  bytes.write(`${octal(sum, 6)}\0 `, FIELD.sum)
  return bytes
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** How many bytes follow content of this length, up to the next block. */
function paddingBytes(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK
}
