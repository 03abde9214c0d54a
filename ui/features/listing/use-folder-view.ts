import { useSnapshot } from 'valtio'
import { type FolderView, folderViews, hasOwnView, viewOf } from '#ui/state/folder-views.ts'
import { layout } from '#ui/state/layout.ts'
import { listing } from '#ui/state/listing.ts'
import { session } from '#ui/state/session.ts'

/** The view of the folder on the page, and whether it is the folder's own. */
export function useFolderView(): FolderView & { isOwn: boolean } {
  const { path } = useSnapshot(listing)
  const { density } = useSnapshot(layout)
  const { own } = useSnapshot(folderViews) as typeof folderViews
  const { user } = useSnapshot(session) as typeof session
  return { ...viewOf(path, { own, user, density }), isOwn: hasOwnView(path, own) }
}
