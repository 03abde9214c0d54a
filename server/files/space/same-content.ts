/** Finds files with the same content below a folder: first by size, then by a hash. */
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { pacer } from '#server/lib/slices.ts'
import type { Node } from '#server/storage/node.ts'
import type { SameContentLine } from '#wire/api/space.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { entryOf } from '../entry.ts'
import { typeByName } from '../file-types.ts'
import { type WalkNotes, walkFolders } from '../walk-folders.ts'

/** Most files of one size differ in their beginning, which is compared before the whole files are read. */
const START_BYTES = 64 * 1024

/**
 * Yields groups of files with the same content, those that waste the most first, and how far it is. Empty files, links,
 * and further names of one file are left out, also files that change during the comparison. Ends when the signal is aborted.
 *
 * @throws Fault notFound, forbidden, notDirectory
 */
export async function* findSameContent(
  scope: Scope,
  folder: TreePath,
  signal: AbortSignal,
): AsyncGenerator<SameContentLine[], void> {
  const { groups, isPartial } = await filesOfEqualSize(scope, folder, signal)
  const total = groups.reduce((sum, group) => sum + bytesOf(group), 0)
  let done = 0
  yield [{ done, total, isPartial }]
  for (const group of groups) {
    if (signal.aborted) return
    const starts = await groupedBy(group, (node) => hashOf(scope, node, START_BYTES), signal)
    for (const start of starts) {
      const isWhole = (start[0]?.sizeBytes ?? 0) <= START_BYTES
      const same = isWhole ? [start] : await groupedBy(start, (node) => hashOf(scope, node), signal)
      if (signal.aborted) return
      for (const nodes of same)
        yield [{ same: byPath(nodes).map((node) => entryOf(node, typeByName(node))) }]
    }
    done += bytesOf(group)
    yield [{ done, total, isPartial }]
  }
}

/** @returns files of which at least two have the same size, in groups; those with the most bytes first */
async function filesOfEqualSize(
  scope: Scope,
  folder: TreePath,
  signal: AbortSignal,
): Promise<{ groups: Node[][]; isPartial: boolean }> {
  await scope.list(folder)
  const notes: WalkNotes = { isCut: false, isSilent: false }
  const bySize = new Map<number, Node[]>()
  /** Files with several names are compared once. */
  const seen = new Set<string>()
  const pace = pacer()
  let isFull = false
  for await (const nodes of walkFolders(scope, folder, notes, signal)) {
    for (const node of nodes) {
      await pace()
      if (node.kind !== 'file' || node.isLink || node.sizeBytes === 0) continue
      const object = `${node.identity} ${node.sizeBytes} ${node.modifiedMs}`
      if (seen.has(object)) continue
      seen.add(object)
      const others = bySize.get(node.sizeBytes)
      if (others) others.push(node)
      else bySize.set(node.sizeBytes, [node])
    }
    isFull = seen.size >= SERVER_LIMITS.sameContentFilesMax
    if (isFull) break
  }
  const groups = [...bySize.values()]
    .filter(({ length }) => length > 1)
    .toSorted((a, b) => bytesOf(b) - bytesOf(a))
  return { groups, isPartial: isFull || notes.isCut || notes.isSilent }
}

/** @returns the groups of at least two nodes with the same key; those without a key are left out */
async function groupedBy(
  nodes: readonly Node[],
  keyOf: (node: Node) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<Node[][]> {
  const groups = new Map<string, Node[]>()
  for (const node of nodes) {
    if (signal.aborted) return []
    const key = await keyOf(node)
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), node])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/**
 * @param length of the part from the beginning; by default the whole file
 * @returns undefined if the file has changed since it was listed, or cannot be read
 */
async function hashOf(
  scope: Scope,
  { path, version, sizeBytes }: Node,
  length = sizeBytes,
): Promise<string | undefined> {
  try {
    const last = Math.min(length, sizeBytes) - 1
    const { node, bytes } = await scope.read(path, () => ({ first: 0, last }))
    if (node.version !== version) {
      await bytes.cancel()
      return undefined
    }
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const part of bytes) hasher.update(part)
    return hasher.digest('base64')
  } catch (error) {
    if (isFault(error)) return undefined
    throw error
  }
}

function byPath(nodes: readonly Node[]): Node[] {
  return nodes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function bytesOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
