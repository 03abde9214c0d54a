/** Checks for an item whose folder may be merged into an existing one. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { StoredItem } from '#server/db/rows/job-rows.ts'
import type { TreePath } from '#wire/paths.ts'

/** Whether a folder is copied or moved into an existing folder of the same name. */
export async function mergesFolders(
  scope: Scope,
  { path, to, decision }: StoredItem,
): Promise<boolean> {
  if (to === '' || decision !== 'replace') return false
  const isFolder = async (path: TreePath) =>
    scope.stat(path).then(
      ({ kind }) => kind === 'folder',
      () => false,
    )
  return (await isFolder(path)) && (await isFolder(to))
}

export async function exists(scope: Scope, path: TreePath): Promise<boolean> {
  return scope.stat(path).then(
    () => true,
    () => false,
  )
}
