/** Reads archives without extracting them: lists of their content, and single files. */

import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { pacer } from '#server/lib/slices.ts'
import type { ByteStream, Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Member } from '../member.ts'
import { streamOf } from '../streams/stream-of.ts'
import { MemberTree, pathInArchive } from './member-tree.ts'
import { openArchive } from './open-archive.ts'

/** The content of an archive. */
export interface ArchiveList {
  node: Node
  tree: MemberTree
  /** Whether only the first part was read, because of the limits of time and size. */
  isPartial: boolean
}

interface CachedList {
  tree: MemberTree
  isPartial: boolean
  expiresMs: number
}

/** Reads lists of archives, and caches them by the version of the archive. */
export class ArchiveLists {
  readonly #root: string
  /** Key of an archive's version → its list; the least recently used is first. */
  readonly #lists = new Map<string, CachedList>()
  /** The size of all cached lists, by `sizeOf`. */
  #entries = 0

  /** @param root the served folder */
  constructor(root: string) {
    this.#root = root
  }

  /**
   * @param stop ends the reading with its reason
   * @throws Fault forbidden, notFound, isDirectory, unsupported (not an archive), unprocessable (damaged, encrypted),
   *   tooLarge, conflict (it changes)
   */
  async read(scope: Scope, path: TreePath, stop: AbortSignal): Promise<ArchiveList> {
    requireDownload(scope)
    const timeLimit = AbortSignal.timeout(SERVER_LIMITS.archiveListMs)
    const archive = await openArchive(scope, path, {
      stop: AbortSignal.any([stop, timeLimit]),
    })
    const { node } = archive
    const key = [this.#root, scope.actor.scope, node.real, node.version, archive.kind].join('\0')
    const cached = this.#find(key)
    if (cached) return { ...cached, node }
    const tree = new MemberTree()
    const pace = pacer()
    let [bytes, isPartial] = [0, false]
    try {
      for await (const member of archive.members()) {
        tree.add(member)
        await pace()
        stop.throwIfAborted()
        // The list of a zip is read without the bytes of its members.
        bytes += archive.kind === 'zip' ? 0 : member.sizeBytes
        isPartial = timeLimit.aborted || bytes > SERVER_LIMITS.archiveListBytes
        if (isPartial) break
      }
    } catch (error) {
      if (!timeLimit.aborted || stop.aborted) throw error
      isPartial = true
    }
    this.#store(key, { tree, isPartial, expiresMs: expiryOf(isPartial) })
    return { node, tree, isPartial }
  }

  #find(key: string): CachedList | undefined {
    const cached = this.#lists.get(key)
    if (!cached) return undefined
    this.#drop(key, cached)
    if (cached.expiresMs < Date.now()) return undefined
    this.#store(key, cached)
    return cached
  }

  #store(key: string, list: CachedList): void {
    if (list.tree.nodes > SERVER_LIMITS.archiveListsEntries) return
    const before = this.#lists.get(key)
    if (before) this.#drop(key, before)
    this.#lists.set(key, list)
    this.#entries += sizeOf(list)
    for (const [oldest, list] of this.#lists) {
      if (this.#entries <= SERVER_LIMITS.archiveListsEntries) break
      this.#drop(oldest, list)
    }
  }

  #drop(key: string, list: CachedList): void {
    this.#lists.delete(key)
    this.#entries -= sizeOf(list)
  }
}

/** How many entries a list counts as; an empty list takes space, too. */
function sizeOf({ tree }: CachedList): number {
  return tree.nodes + 1
}

function expiryOf(isPartial: boolean): number {
  return isPartial ? Date.now() + SERVER_LIMITS.archivePartialMs : Number.POSITIVE_INFINITY
}

/** A file in an archive. */
export interface ArchiveFile {
  archive: Node
  sizeBytes: number
  modifiedMs: number | undefined
  /**
   * Must be read to the end or cancelled, which closes the archive. It fails if the bytes do not match the archive's
   * records.
   */
  bytes: ByteStream
}

/**
 * Finds a file in an archive. A compressed tar is read from its start.
 *
 * @param inside its path from the root of the archive
 * @param stop ends the reading with its reason
 * @throws as `ArchiveLists.read`; notFound also for a member that an extraction leaves out; isDirectory
 */
export async function openArchiveFile(
  scope: Scope,
  path: TreePath,
  inside: TreePath,
  stop: AbortSignal,
): Promise<ArchiveFile> {
  requireDownload(scope)
  const timeLimit = new AbortController()
  const timer = setTimeout(() => timeLimit.abort(tooLong()), SERVER_LIMITS.archiveFileMs)
  try {
    const archive = await openArchive(scope, path, {
      stop: AbortSignal.any([stop, timeLimit.signal]),
    })
    const members = archive.members()
    const member = await findMember(members, inside)
    const { sizeBytes, modifiedMs, linkTo } = member
    const target = linkTo === undefined ? undefined : pathInArchive({ name: linkTo, problem: '' })
    if (target !== undefined) {
      // The content is that of an earlier file.
      await members.return()
      return await openArchiveFile(scope, path, target, stop)
    }
    return {
      archive: archive.node,
      sizeBytes,
      modifiedMs,
      bytes: streamOf(member.read(), async () => void (await members.return())),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** @throws Fault notFound, isDirectory */
async function findMember(
  members: AsyncGenerator<Member, void>,
  inside: TreePath,
): Promise<Member> {
  const pace = pacer()
  let isFolder = false
  // A `for await` loop would end the archive with the search.
  for (let next = await members.next(); !next.done; next = await members.next()) {
    const member = next.value
    await pace()
    const memberPath = pathInArchive(member)
    if (memberPath === inside && member.kind === 'file') return member
    if (memberPath === inside || memberPath?.startsWith(`${inside}/`)) isFolder = true
  }
  if (isFolder) throw new Fault('isDirectory', 'This is a folder in the archive.')
  throw new Fault('notFound', 'The archive does not contain this file.')
}

/** @throws Fault forbidden (no right to download) */
function requireDownload(scope: Scope): void {
  if (scope.may('download')) return
  throw new Fault('forbidden', 'You do not have permission to download.')
}

function tooLong(): Fault {
  return new Fault(
    'tooLarge',
    'It takes too long to find the file in the archive. Extract the archive, or download it.',
    { reason: 'archiveTooLarge' },
  )
}
