/** Finds folders by a part of their name, or by the beginning of their path. */
import * as api from '#ui/api/files/find.ts'
import { foldText } from '#wire/fold.ts'
import { nameOf, parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { foldersIn } from './folders.ts'

/**
 * A text with a slash is a path: its folder, then the folders in it whose names begin with the rest. Any other text is a
 * part of a name, and finds folders below the root.
 *
 * @throws Fault notFound (no folder has this path), forbidden, badRequest, tooMany, unavailable, aborted
 */
export async function findFolders(
  typed: string,
  signal: AbortSignal,
): Promise<readonly TreePath[]> {
  const text = typed.trim()
  const slash = text.lastIndexOf('/')
  if (slash < 0) {
    const { hits } = await api.find(ROOT, { query: `type:folder ${text}`, only: false }, signal)
    return hits.map(({ path }) => path)
  }
  const folder = parsePath(`/${text.slice(0, slash)}`)
  const start = foldText(text.slice(slash + 1))
  const folders = await foldersIn(folder, signal)
  const paths = folders.map(({ path }) => path)
  if (start === '') return [folder, ...paths]
  return paths.filter((path) => foldText(nameOf(path)).startsWith(start))
}
