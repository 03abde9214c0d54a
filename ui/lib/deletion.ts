/** Whether deleted entries go to the trash. */
import { isInside, parsePath, type TreePath } from '#wire/paths.ts'

/** `partly`: some go to the trash, the others are deleted permanently. */
export type Deletion = 'kept' | 'partly' | 'permanent'

/** @param withoutTrash the folders in which deletions are permanent */
export function deletionOf(paths: readonly string[], withoutTrash: readonly TreePath[]): Deletion {
  const permanent = paths.filter((path) =>
    withoutTrash.some((folder) => isInside(parsePath(path), folder)),
  )
  if (permanent.length === 0) return 'kept'
  return permanent.length === paths.length ? 'permanent' : 'partly'
}
