/** Free names: `a.txt`, `a(1).txt`, `a(2).txt`. */

import type { Scope } from '#server/access/scope.ts'
import { isFault } from '#wire/fault.ts'
import { numberedName } from '#wire/free-names.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'

/** So many numbers are tried one after the other. */
const ONE_BY_ONE = 16
const HIGHEST = 2 ** 30

/**
 * The path itself when it is free, else the next free one beside it. Where many are taken it is one that follows a
 * taken one, found in few steps: thousands of looks at the disk would stop the server.
 *
 * @throws Fault forbidden
 */
export async function freePath(scope: Pick<Scope, 'stat'>, path: TreePath): Promise<TreePath> {
  const numbered = (number: number) =>
    number === 0 ? path : childPath(parentPath(path), numberedName(nameOf(path), number))
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

async function exists(scope: Pick<Scope, 'stat'>, path: TreePath): Promise<boolean> {
  try {
    await scope.stat(path)
    return true
  } catch (error) {
    if (isFault(error, 'notFound')) return false
    throw error
  }
}
