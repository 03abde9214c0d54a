/** Favourite folders of the user, in the user's order, and recently used files. The server stores them. */
import { proxy, ref } from 'valtio'
import * as api from '#ui/api/files/favourites.ts'
import type { TreePath } from '#wire/paths.ts'
import { onUserChange, session } from '../session/session.ts'

export { recent as recentFiles } from '#ui/api/files/favourites.ts'

/** Null until they are loaded. */
export const favourites = proxy<{ paths: readonly TreePath[] | null }>({ paths: null })

/** The last change of the queue; it never rejects. */
let changing: Promise<void> = Promise.resolve()

onUserChange(() => {
  favourites.paths = null
})

/** @throws Fault unavailable */
export async function loadFavourites(): Promise<void> {
  if (favourites.paths) return
  const userId = session.user?.id
  const paths = await api.list()
  // By now, another call may have loaded and changed them, or another user may be signed in.
  if (session.user?.id === userId) favourites.paths ??= ref(paths)
}

export function isFavourite(path: TreePath): boolean {
  return favourites.paths?.includes(path) ?? false
}

/**
 * Adds folders at the end. A folder that is already there keeps its position.
 *
 * @throws Fault badRequest (too many favourites), unavailable
 */
export function addFavourites(added: readonly TreePath[]): Promise<void> {
  return change((paths) => [...new Set([...paths, ...added])])
}

/** @throws Fault unavailable */
export function removeFavourite(path: TreePath): Promise<void> {
  return change((paths) => paths.filter((favourite) => favourite !== path))
}

/**
 * Moves a favourite before the one at index `to`, or to the end if `to` is the number of favourites.
 *
 * @throws Fault unavailable
 */
export function moveFavourite(path: TreePath, to: number): Promise<void> {
  return change((paths) => {
    const from = paths.indexOf(path)
    if (from < 0 || to < 0 || to > paths.length) return paths
    const others = paths.toSpliced(from, 1)
    return others.toSpliced(to > from ? to - 1 : to, 0, path)
  })
}

/** Changes the list after all earlier changes, if the same user is still signed in. */
function change(changed: (paths: readonly TreePath[]) => readonly TreePath[]): Promise<void> {
  const userId = session.user?.id
  const done = changing.then(() => apply(changed, userId))
  changing = done.catch(() => undefined)
  return done
}

/** Shows the change at once, saves it, and reverts it if the server refuses it. */
async function apply(
  changed: (paths: readonly TreePath[]) => readonly TreePath[],
  userId: number | undefined,
): Promise<void> {
  await loadFavourites()
  const old = favourites.paths
  if (!old || session.user?.id !== userId) return
  const paths = changed(old)
  if (paths === old) return
  favourites.paths = ref(paths)
  try {
    await api.put(paths)
  } catch (error) {
    if (session.user?.id === userId) favourites.paths = ref(old)
    throw error
  }
}
