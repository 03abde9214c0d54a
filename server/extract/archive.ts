/** An archive in the tree, read as its members. Nothing of it is ever taken at its word. */
import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import { type ArchiveKind, archiveKindOf } from '#wire/archives.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { type Bytes, type Members, tooMuch } from './member.ts'
import { tarMembers } from './tar.ts'
import { uncompress } from './uncompress.ts'
import { zipMembers } from './zip.ts'

export interface OpenedArchive {
  node: Node
  kind: ArchiveKind
  /** Once. It ends with a refusal where the archive is a bomb, or has too many entries. */
  members(): Members
}

/**
 * @throws Fault unsupported (of a kind that is not known), isDirectory, notFound, forbidden
 */
export async function openArchive(scope: Scope, path: TreePath): Promise<OpenedArchive> {
  const node = await scope.stat(path)
  if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
  const kind = archiveKindOf(nameOf(path))
  if (node.kind !== 'file' || !kind) {
    throw new Fault('unsupported', 'This is no archive that can be extracted.')
  }
  const read = (start: number, length: number) => rangeOf(scope, node, start, length)
  const members = () =>
    counted(
      kind === 'zip'
        ? zipMembers({ sizeBytes: node.sizeBytes, read })
        : tarMembers(bounded(uncompress(kind, read(0, node.sizeBytes)), node.sizeBytes)),
      node.sizeBytes,
    )
  return { node, kind, members }
}

/** Refuses what is more than an archive of this size may hold. */
async function* counted(members: Members, archiveBytes: number): Members {
  let [entries, bytes] = [0, 0]
  for await (const member of members) {
    entries += 1
    bytes += member.sizeBytes
    if (entries > LIMITS.extractEntriesMax) throw tooMuch('it has too many entries')
    mustBeLikely(bytes, archiveBytes)
    yield member
  }
}

async function* bounded(bytes: Bytes, archiveBytes: number): Bytes {
  let count = 0
  for await (const part of bytes) {
    count += part.length
    mustBeLikely(count, archiveBytes)
    yield part
  }
}

/** @throws Fault tooLarge for what no honest archive of this size holds */
function mustBeLikely(bytes: number, archiveBytes: number): void {
  if (bytes > LIMITS.extractFreeBytes && bytes > archiveBytes * LIMITS.extractRatioMax) {
    throw tooMuch(`it holds more than ${LIMITS.extractRatioMax} times its own size`)
  }
}

/** @throws Fault conflict when it is another file by now */
async function* rangeOf(
  scope: Scope,
  { path, version }: Node,
  start: number,
  length: number,
): Bytes {
  if (length <= 0) return
  const { node, bytes } = await scope.read(path, () => ({ first: start, last: start + length - 1 }))
  if (node.version !== version) {
    await bytes.cancel()
    throw new Fault('conflict', 'The archive was changed meanwhile.')
  }
  yield* bytes
}
