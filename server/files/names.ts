/** Free names: `a.txt`, `a(1).txt`, `a(2).txt`. */

import type { Scope } from '#server/access/scope.ts'
import { isFault } from '#wire/fault.ts'
import { numberedName } from '#wire/free-names.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'

const TRIES = 10_000

/**
 * The path itself when it is free, else the next free one beside it.
 *
 * @throws Fault forbidden
 */
export async function freePath(scope: Scope, path: TreePath): Promise<TreePath> {
  let candidate = path
  for (let number = 1; number < TRIES && (await exists(scope, candidate)); number += 1) {
    candidate = childPath(parentPath(path), numberedName(nameOf(path), number))
  }
  return candidate
}

async function exists(scope: Scope, path: TreePath): Promise<boolean> {
  try {
    await scope.stat(path)
    return true
  } catch (error) {
    if (isFault(error, 'notFound')) return false
    throw error
  }
}
