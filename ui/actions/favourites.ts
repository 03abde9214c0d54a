/** Adds and removes favourite folders. */
import type { ActionContext } from '#ui/state/action-context.ts'
import { addFavourites, isFavourite, removeFavourite } from '#ui/state/folder/favourites.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { Action } from './types.ts'

export const favouriteActions = [
  {
    id: 'addFavourite',
    label: 'actions.addFavourite',
    icon: 'star',
    when(context) {
      const folder = folderOf(context)
      return folder !== undefined && !isFavourite(folder)
    },
    async run(context) {
      const folder = folderOf(context)
      if (folder) await addFavourites([folder])
    },
  },
  {
    id: 'removeFavourite',
    label: 'actions.removeFavourite',
    icon: 'star',
    when(context) {
      const folder = folderOf(context)
      return folder !== undefined && isFavourite(folder)
    },
    async run(context) {
      const folder = folderOf(context)
      if (folder) await removeFavourite(folder)
    },
  },
] as const satisfies readonly Action[]

/** The folder that the action applies to: the only selected one, or the shown one; undefined if there is none. */
function folderOf({ page, targets, path, isQuickLook }: ActionContext): TreePath | undefined {
  if (page !== 'folder' || isQuickLook || targets.length > 1) return undefined
  const [target] = targets
  if (target) return target.isDir ? target.path : undefined
  return path === ROOT ? undefined : path
}
