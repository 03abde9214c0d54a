/** Metadata of the pictures and films of a folder, loaded in pages. */
import * as api from '#ui/api/files/media.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { AlbumFacts, FolderMedia } from '#wire/api/media.ts'
import type { TreePath } from '#wire/paths.ts'

/**
 * Reads the metadata of the pictures and films of a folder, by name; in a large folder, only of the first.
 *
 * @throws Fault forbidden, notFound
 */
export function readAlbumFacts(
  path: TreePath,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, AlbumFacts>> {
  return readAllPages((from) => api.readFolder(path, from, signal))
}

/**
 * Reads the metadata of the pictures and films of a folder in a share, by name; in a large folder, only of the first.
 *
 * @param share its hash, and the token that replaces its password
 * @throws Fault unauthenticated, forbidden, notFound
 */
export function readSharedAlbumFacts(
  { hash, token }: { hash: string; token?: string | undefined },
  path: TreePath,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, AlbumFacts>> {
  return readAllPages((from) => api.readSharedFolder(hash, path, { token, from }, signal))
}

/**
 * Requests one page after the other, until `albumMax` pictures and films are read. If there are more, the dates are left
 * out: pictures could not be grouped by day if only a part of them had a date.
 */
async function readAllPages(
  read: (from: number) => Promise<FolderMedia>,
): Promise<ReadonlyMap<string, AlbumFacts>> {
  const facts = new Map<string, AlbumFacts>()
  let from: number | undefined = 0
  while (from !== undefined) {
    const page: FolderMedia = await read(from)
    for (const { name, ...metadata } of page.items) facts.set(name, metadata)
    from = page.next
    if (from !== undefined && facts.size >= ON_DEMAND_LIMITS.albumMax) return withoutDates(facts)
  }
  return facts
}

function withoutDates(facts: ReadonlyMap<string, AlbumFacts>): ReadonlyMap<string, AlbumFacts> {
  return new Map([...facts].map(([name, { taken: _, ...others }]) => [name, others]))
}
