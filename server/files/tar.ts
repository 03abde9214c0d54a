/** Writes a tar archive: ustar headers, with pax records for values that do not fit (POSIX.1-2001). */
import type { Scope } from '#server/access/scope.ts'
import type { Bytes } from '#server/extract/member.ts'
import type { Node } from '#server/storage/node.ts'
import { inChunks, withoutDrive } from './archive-bytes.ts'
import type { NamedNode } from './archive-walk.ts'
import { contentsOf } from './file-contents.ts'

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
  for await (const { name, node, bytes, file } of contentsOf(scope, members)) {
    if (node.kind === 'folder') {
      yield* header(`${name}/`, node, 0)
    } else if (bytes) {
      yield* header(name, node, bytes.length)
      yield bytes
      yield padding(bytes.length)
    } else if (file) {
      yield* header(name, file.node, file.node.sizeBytes)
      yield* file.bytes
      yield padding(file.node.sizeBytes)
    }
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** Yields the header of a member, preceded by a pax header if needed. */
function* header(name: string, node: Node, sizeBytes: number): Generator<Uint8Array> {
  const memberName = withoutDrive(name)
  const paxValues: [key: string, value: string][] = []
  if (!ASCII.test(memberName) || memberName.length > NAME_BYTES)
    paxValues.push(['path', memberName])
  if (sizeBytes > SIZE_MAX) paxValues.push(['size', String(sizeBytes)])
  if (paxValues.length > 0) {
    const records = Buffer.from(paxValues.map(([key, value]) => paxRecord(key, value)).join(''))
    yield block({ name: 'PaxHeader', type: 'x', mode: 0o644, seconds: 0, size: records.length })
    yield records
    yield padding(records.length)
  }
  yield block({
    name: memberName,
    type: node.kind === 'folder' ? '5' : '0',
    mode: node.mode & 0o777,
    seconds: Math.min(Math.max(0, Math.floor(node.modifiedMs / 1000)), SECONDS_MAX),
    size: Math.min(sizeBytes, SIZE_MAX),
  })
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

function padding(length: number): Uint8Array {
  return Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK)
}
