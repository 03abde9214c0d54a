import { useSnapshot } from 'valtio'
import { listing } from '#ui/state/folder/listing.ts'
import { session } from '#ui/state/session/session.ts'
import { type FolderView, folderViews, hasOwnView, viewOf } from '#ui/state/view/folder-views.ts'
import { layout } from '#ui/state/view/layout.ts'

/** The view of the folder on the page, and whether it is the folder's own. */
export function useFolderView(): FolderView & { isOwn: boolean } {
  const { path } = useSnapshot(listing)
  const { density } = useSnapshot(layout)
  const { own } = useSnapshot(folderViews) as typeof folderViews
  const { user } = useSnapshot(session) as typeof session
  return { ...viewOf(path, { own, user, density }), isOwn: hasOwnView(path, own) }
}
