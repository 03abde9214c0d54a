import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { type Deletion, deletionOf, isPermanent } from '#ui/lib/entries/deletion.ts'
import { loadWithoutTrash, withoutTrash } from '#ui/state/folder/deletion.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { ROOT } from '#wire/paths.ts'

interface KnownDeletion {
  deletion: Deletion
  /** Whether this path is deleted permanently. */
  isPermanent(path: string): boolean
}

/**
 * What a deletion does to these paths. Until the folders without a trash are loaded, all paths count as deleted
 * permanently.
 */
export function useDeletion(paths: readonly string[]): KnownDeletion {
  const { KeepsDeleted } = useSnapshot(settings)
  const id = useSnapshot(session).user?.id
  const { folders, userId } = useSnapshot(withoutTrash)
  useEffect(() => {
    if (!KeepsDeleted && id !== undefined) void loadWithoutTrash(id)
  }, [KeepsDeleted, id])
  const known = id !== undefined && userId === id ? folders : [ROOT]
  const permanent = KeepsDeleted ? [] : known
  return {
    deletion: deletionOf(paths, permanent),
    isPermanent: (path) => isPermanent(path, permanent),
  }
}
