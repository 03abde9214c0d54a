/** The paths of shares, which are relative to the home folder of their owner, in another home folder. */
import type { StoredShare } from '#server/db/rows/shares.ts'
import { isInside, joinPath, relativePath, type TreePath } from '#wire/paths.ts'

/** A deleted share as stored with the trash: its paths are relative to the owner's home folder of that time. */
export interface DeletedShare extends StoredShare {
  home: TreePath
}

/** @returns the paths of a share in another home folder; undefined if they are outside it */
export function inOtherHome(
  { path, realPath }: StoredShare,
  from: TreePath,
  to: TreePath,
): Pick<StoredShare, 'path' | 'realPath'> | undefined {
  const [fullPath, real] = [joinPath(from, path), realPath && joinPath(from, realPath)]
  if (!isInside(fullPath, to) || (real && !isInside(real, to))) return undefined
  return { path: relativePath(fullPath, to), realPath: real && relativePath(real, to) }
}
