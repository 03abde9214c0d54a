/** Whether deleted entries go to the trash. */
import { isInside, parsePath, type TreePath } from '#wire/paths.ts'

/** `kept`: all entries go to the trash. `partly`: some do, and the others are deleted permanently. */
export type Deletion = 'kept' | 'partly' | 'permanent'

/** @param withoutTrash the folders in which deletions are permanent */
export function deletionOf(paths: readonly string[], withoutTrash: readonly TreePath[]): Deletion {
  const permanent = paths.filter((path) => isPermanent(path, withoutTrash))
  if (permanent.length === 0) return 'kept'
  return permanent.length === paths.length ? 'permanent' : 'partly'
}

/** Whether an entry does not go to the trash. @param withoutTrash as of `deletionOf` */
export function isPermanent(path: string, withoutTrash: readonly TreePath[]): boolean {
  return withoutTrash.some((folder) => isInside(parsePath(path), folder))
}

/** The items that a question lists, and the number of the others. At most `most` rows are needed for both. */
export function listedOf<T>(items: readonly T[], most: number): { listed: T[]; hidden: number } {
  const listed = items.slice(0, items.length > most ? most - 1 : most)
  return { listed, hidden: items.length - listed.length }
}
