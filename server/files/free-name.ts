/** Free names: `a.txt`, `a(1).txt`, `a(2).txt`. */

import type { Scope } from '#server/access/scope/scope.ts'
import { isFault } from '#wire/fault.ts'
import { numberedName } from '#wire/free-names.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'

/** So many numbers are tried one after the other; then a binary search follows. */
const ONE_BY_ONE = 16
const HIGHEST = 2 ** 30

/**
 * @param isFolder whether the name is that of a folder, which has no extension
 * @returns the path itself if it is free, otherwise a free numbered name. If many are taken, a binary search finds
 *   one after a taken name in few steps.
 * @throws Fault forbidden
 */
export async function freePath(
  scope: Pick<Scope, 'stat'>,
  path: TreePath,
  isFolder = false,
): Promise<TreePath> {
  const numbered = (number: number) =>
    number === 0 ? path : childPath(parentPath(path), numberedName(nameOf(path), number, isFolder))
  const isTaken = (number: number) => exists(scope, numbered(number))
  for (let number = 0; number < ONE_BY_ONE; number += 1) {
    if (!(await isTaken(number))) return numbered(number)
  }
  let [taken, free] = [ONE_BY_ONE - 1, ONE_BY_ONE]
  while (free < HIGHEST && (await isTaken(free))) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return numbered(free)
}

/** How many free names are tried, because another user may take a name before it is used. */
const MAX_TRIES = 16

/**
 * Creates an entry at a free path, and tries the next path if another request has taken that one.
 *
 * @param isFolder as of `freePath`
 * @param make called for each try; its conflict does not count if the path is still free
 * @returns the resulting path
 * @throws Fault forbidden; what `make` throws
 */
export async function makeAtFreePath(
  scope: Pick<Scope, 'stat'>,
  path: TreePath,
  isFolder: boolean,
  make: (free: TreePath) => Promise<unknown>,
): Promise<TreePath> {
  let free = await freePath(scope, path, isFolder)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await make(free)
      return free
    } catch (error) {
      if (!isFault(error, 'conflict') || attempt >= MAX_TRIES) throw error
      const next = await freePath(scope, path, isFolder)
      if (next === free) throw error
      free = next
    }
  }
}

/** Whether a path that gets a free name is a folder. A link whose target cannot be read is none. @throws Fault unavailable */
export async function isFolderAt(scope: Pick<Scope, 'stat'>, path: TreePath): Promise<boolean> {
  try {
    return (await scope.stat(path)).kind === 'folder'
  } catch (error) {
    if (isFault(error, 'notFound', 'forbidden', 'unsupported')) return false
    throw error
  }
}

async function exists(scope: Pick<Scope, 'stat'>, path: TreePath): Promise<boolean> {
  try {
    await scope.stat(path)
    return true
  } catch (error) {
    if (isFault(error, 'notFound')) return false
    throw error
  }
}
