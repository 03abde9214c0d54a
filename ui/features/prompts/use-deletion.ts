import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { type Deletion, deletionOf } from '#ui/lib/deletion.ts'
import { loadWithoutTrash, withoutTrash } from '#ui/state/deletion.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import { ROOT } from '#wire/paths.ts'

/** What a deletion does to these paths. Until it is known where the trash is used, they count as deleted permanently. */
export function useDeletion(paths: readonly string[]): Deletion {
  const { KeepsDeleted } = useSnapshot(settings)
  const id = useSnapshot(session).user?.id
  const { folders, userId } = useSnapshot(withoutTrash)
  useEffect(() => {
    if (!KeepsDeleted && id !== undefined) void loadWithoutTrash(id)
  }, [KeepsDeleted, id])
  if (KeepsDeleted) return 'kept'
  return deletionOf(paths, id !== undefined && userId === id ? folders : [ROOT])
}
