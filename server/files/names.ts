/** Free names: `a.txt`, `a (1).txt`, `a (2).txt`. */

import type { Scope } from '#server/access/scope.ts'
import { isFault } from '#wire/fault.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'

const TRIES = 10_000

/**
 * The path itself when it is free, else the next free one beside it: the number goes before the last
 * ending, and before the whole of a name that is only an ending (contract 1.5).
 *
 * @throws Fault forbidden
 */
export async function freePath(scope: Scope, path: TreePath): Promise<TreePath> {
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let candidate = path
  for (let number = 1; number < TRIES && (await exists(scope, candidate)); number += 1) {
    candidate = childPath(parentPath(path), `${stem} (${number})${ending}`)
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
