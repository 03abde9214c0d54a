/** Where to go from an address at which nothing is. */
import { list } from '#ui/api/resources.ts'
import { leadsSomewhere } from '#ui/lib/links.ts'
import { nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'

export interface Nearest {
  /** The nearest folder above that can be shown; the home folder when none can. */
  folder: TreePath
  /** What is at the address is a link that leads to nothing. */
  brokenLink: boolean
}

/** Looks at the folders above `path`, from the nearest upwards. */
export async function nearestTo(path: TreePath, signal?: AbortSignal): Promise<Nearest> {
  const folder = parentPath(path)
  try {
    const { items } = await list(folder, signal)
    const entry = items.find(({ name }) => name === nameOf(path))
    return { folder, brokenLink: entry !== undefined && !leadsSomewhere(entry) }
  } catch {
    if (folder === ROOT) return { folder, brokenLink: false }
    return { ...(await nearestTo(folder, signal)), brokenLink: false }
  }
}
