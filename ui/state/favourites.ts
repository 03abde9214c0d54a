/** Favourite folders of the user, in the user's order. The server stores them. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import * as api from '#ui/api/favourites.ts'
import type { TreePath } from '#wire/paths.ts'
import { session } from './session.ts'

export { recent as recentFiles } from '#ui/api/favourites.ts'

const NONE: readonly TreePath[] = ref([])

/** Null until they are loaded. */
export const favourites = proxy<{ paths: readonly TreePath[] | null }>({ paths: null })

/** The next user has other favourites. */
subscribeKey(session, 'user', (user) => {
  if (!user) favourites.paths = null
})

/** @throws Fault unavailable */
export async function loadFavourites(): Promise<void> {
  favourites.paths ??= ref(await api.list())
}

export function isFavourite(path: TreePath): boolean {
  return favourites.paths?.includes(path) ?? false
}

/**
 * Adds folders at the end. A folder that is already there keeps its position.
 *
 * @throws Fault badRequest (too many favourites), unavailable
 */
export async function addFavourites(added: readonly TreePath[]): Promise<void> {
  await loadFavourites()
  await save([...new Set([...(favourites.paths ?? NONE), ...added])])
}

/** @throws Fault unavailable */
export async function removeFavourite(path: TreePath): Promise<void> {
  await save((favourites.paths ?? NONE).filter((favourite) => favourite !== path))
}

/**
 * Moves a favourite before the one at index `to`, or to the end.
 *
 * @throws Fault unavailable
 */
export async function moveFavourite(path: TreePath, to: number): Promise<void> {
  const paths = [...(favourites.paths ?? NONE)]
  const from = paths.indexOf(path)
  if (from < 0 || to < 0 || to > paths.length) return
  paths.splice(from, 1)
  paths.splice(to > from ? to - 1 : to, 0, path)
  await save(paths)
}

/** Shows the change at once, and reverts it if the server refuses it. */
async function save(paths: readonly TreePath[]): Promise<void> {
  const oldPaths = favourites.paths
  favourites.paths = ref(paths)
  try {
    await api.put(paths)
  } catch (error) {
    favourites.paths = oldPaths && ref(oldPaths)
    throw error
  }
}
