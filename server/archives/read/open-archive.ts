/** Opens an archive in the tree and reads its members. The archive is untrusted input. */
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { type ArchiveKind, archiveKindOf } from '#wire/formats/archives.ts'
import type { NameEncoding } from '#wire/name-encodings.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { decompress } from '../codecs/decompress.ts'
import { archiveTooLarge, type Bytes, type Members } from '../member.ts'
import { seekable } from './seekable.ts'
import { tarMembers } from './tar.ts'
import { zipMembers } from './zip.ts'

export interface OpenedArchive {
  node: Node
  kind: ArchiveKind
  /** May be called once. It throws if the archive has too many entries, or expands too much. */
  members(): Members
}

export interface OpenOptions {
  /** Ends the reading with its reason. */
  stop?: AbortSignal
  /** Of the names in a zip that does not say it; guessed by default. */
  encoding?: NameEncoding | undefined
}

/** @throws Fault unsupported (unknown format), isDirectory, notFound, forbidden */
export async function openArchive(
  scope: Scope,
  path: TreePath,
  { stop, encoding }: OpenOptions = {},
): Promise<OpenedArchive> {
  const node = await scope.stat(path)
  if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
  const kind = archiveKindOf(nameOf(path))
  if (node.kind !== 'file' || !kind) {
    throw new Fault('unsupported', 'This is not an archive that can be extracted.')
  }
  const read = (start: number, length: number) =>
    stoppable(rangeOf(scope, node, start, length), stop)
  const file = { sizeBytes: node.sizeBytes, read }
  const members = () => withinLimits(membersOf(kind, file, stop, encoding), node.sizeBytes)
  return { node, kind, members }
}

/**
 * The members of a zip with any name, such as a document. As `OpenedArchive.members`.
 *
 * @throws Fault unprocessable (damaged, encrypted), tooLarge
 */
export function zipMembersOf(scope: Pick<Scope, 'read'>, node: Node): Members {
  const read = (start: number, length: number) => rangeOf(scope, node, start, length)
  return withinLimits(zipMembers({ sizeBytes: node.sizeBytes, read }), node.sizeBytes)
}

function membersOf(
  kind: ArchiveKind,
  file: Parameters<typeof zipMembers>[0],
  stop: AbortSignal | undefined,
  encoding: NameEncoding | undefined,
): Members {
  if (kind === 'zip') return zipMembers(file, encoding)
  if (kind === 'tar') return tarMembers(seekable(file))
  const plain = decompress(kind, file.read(0, file.sizeBytes))
  return tarMembers(bounded(stoppable(plain, stop), file.sizeBytes))
}

/** Passes the bytes on until `stop` is aborted. */
async function* stoppable(bytes: Bytes, stop: AbortSignal | undefined): Bytes {
  for await (const part of bytes) {
    stop?.throwIfAborted()
    yield part
  }
}

/** Passes the members on and enforces the limits for an archive of this size. */
async function* withinLimits(members: Members, archiveBytes: number): Members {
  let [entries, bytes] = [0, 0]
  for await (const member of members) {
    entries += 1
    if (entries > SERVER_LIMITS.extractEntriesMax) throw archiveTooLarge('it has too many entries')
    if (member.isSparse && isBomb(bytes + member.sizeBytes, archiveBytes)) {
      yield { ...member, kind: 'other', problem: TOO_SPARSE }
      continue
    }
    bytes += member.sizeBytes
    refuseBomb(bytes, archiveBytes)
    yield member
  }
}

/** Passes the bytes on and enforces the limit for an archive of this size. */
async function* bounded(bytes: Bytes, archiveBytes: number): Bytes {
  let count = 0
  for await (const part of bytes) {
    count += part.length
    refuseBomb(count, archiveBytes)
    yield part
  }
}

/** @throws Fault tooLarge (the archive expands to an implausible size) */
function refuseBomb(bytes: number, archiveBytes: number): void {
  if (isBomb(bytes, archiveBytes)) {
    throw archiveTooLarge(`it holds more than ${SERVER_LIMITS.extractRatioMax} times its own size`)
  }
}

function isBomb(bytes: number, archiveBytes: number): boolean {
  return (
    bytes > SERVER_LIMITS.extractFreeBytes && bytes > archiveBytes * SERVER_LIMITS.extractRatioMax
  )
}

/** A disk of a virtual machine may be a terabyte of zeros, which would all be written. */
const TOO_SPARSE = 'It is a sparse file whose zeros need too much space, and is left out.'

/** @throws Fault conflict if the file was replaced since it was opened */
async function* rangeOf(
  scope: Pick<Scope, 'read'>,
  { path, version }: Node,
  start: number,
  length: number,
): Bytes {
  if (length <= 0) return
  const { node, bytes } = await scope.read(path, () => ({ first: start, last: start + length - 1 }))
  if (node.version !== version) {
    await bytes.cancel()
    throw new Fault('conflict', 'The archive was changed while it was read.')
  }
  yield* bytes
}
