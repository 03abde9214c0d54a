/** Finds the folder that is offered if nothing exists at the path of a URL. */
import { list } from '#ui/api/files/resources.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import { isFault } from '#wire/fault.ts'
import { nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'

export interface NearestFolder {
  /** The nearest parent folder that can be shown; the root of the scope if there is none. */
  folder: TreePath
  /** Whether the entry at the URL is a broken symlink. */
  isBrokenLink: boolean
}

/** The faults of a path that cannot be shown as a folder, such as one that is too deep. */
const NOT_SHOWN = ['notFound', 'forbidden', 'outside', 'notDirectory', 'badRequest'] as const

/**
 * Requests the folders above `path`, from the nearest upwards, until one can be shown.
 *
 * @throws Fault unavailable, unauthenticated, aborted: it is unknown which folders can be shown
 */
export async function findNearestFolder(
  path: TreePath,
  signal?: AbortSignal,
): Promise<NearestFolder> {
  const folder = parentPath(path)
  try {
    const { items } = await list(folder, signal)
    const entry = items.find(({ name }) => name === nameOf(path))
    return { folder, isBrokenLink: entry !== undefined && !hasContent(entry) }
  } catch (error) {
    if (!isFault(error, ...NOT_SHOWN)) throw error
    if (folder === ROOT) return { folder, isBrokenLink: false }
    return { ...(await findNearestFolder(folder, signal)), isBrokenLink: false }
  }
}
