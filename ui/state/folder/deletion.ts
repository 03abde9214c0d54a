/** The folders without a trash, which the operator chooses: what is deleted in them cannot be restored. */
import { proxy } from 'valtio'
import { foldersWithoutTrash } from '#ui/api/files/trash.ts'
import { assign } from '#ui/lib/assign.ts'
import type { TreePath } from '#wire/paths.ts'

interface WithoutTrash {
  folders: readonly TreePath[]
  /** The user whose folders they are; undefined until they are loaded. */
  userId: number | undefined
}

export const withoutTrash = proxy<WithoutTrash>({ folders: [], userId: undefined })

/** Loads the folders again. Without a response, what was known before stays. */
export async function loadWithoutTrash(userId: number): Promise<void> {
  const folders = await foldersWithoutTrash().catch(() => undefined)
  if (folders) assign(withoutTrash, { folders, userId })
}
