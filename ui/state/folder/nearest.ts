/** Finds the folder that is offered if nothing exists at the path of a URL. */
import { list } from '#ui/api/files/resources.ts'
import { isFault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'

/** The faults of a path that cannot be shown as a folder, such as one that is too deep. */
const NOT_SHOWN = ['notFound', 'forbidden', 'outside', 'notDirectory', 'badRequest'] as const

/**
 * Requests the folders above `path`, from the nearest upwards, until one can be shown.
 *
 * @returns that folder; the root of the scope if there is none
 * @throws Fault unavailable, unauthenticated, aborted: it is unknown which folders can be shown
 */
export async function findNearestFolder(path: TreePath, signal?: AbortSignal): Promise<TreePath> {
  const folder = parentPath(path)
  try {
    await list(folder, signal)
    return folder
  } catch (error) {
    if (!isFault(error, ...NOT_SHOWN)) throw error
    return folder === ROOT ? folder : findNearestFolder(folder, signal)
  }
}
