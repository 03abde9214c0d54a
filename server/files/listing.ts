/** A folder with what it holds, in the person's order. */

import type { Scope } from '#server/access/scope.ts'
import type { Entry, Listing, Sorting } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { entryOf } from './entry.ts'
import { typeByName } from './kinds.ts'

/** `file2` before `file10`; capitals and accents do not part what belongs together. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** @throws Fault notFound, notDirectory, forbidden */
export async function listing(scope: Scope, path: TreePath, sorting: Sorting): Promise<Listing> {
  const folder = await scope.stat(path)
  const items: Entry[] = []
  let numDirs = 0
  for await (const node of scope.list(path)) {
    if (node.kind === 'folder') numDirs += 1
    items.push(entryOf(node, typeByName(node)))
  }
  items.sort(comparison(sorting))
  return {
    items,
    numDirs,
    numFiles: items.length - numDirs,
    sorting,
    ...entryOf(folder, ''),
  }
}

/** Folders before files; then the chosen key; names decide between equals (decisions 4). */
export function comparison({ by, asc }: Sorting): (a: Entry, b: Entry) => number {
  const direction = asc ? 1 : -1
  return (a, b) => {
    if (a.isDir !== b.isDir) return a.isDir ? -1 : 1
    if (by === 'size' && a.size !== b.size && !a.isDir) return direction * (a.size - b.size)
    if (by === 'modified' && a.modified !== b.modified) {
      return direction * (a.modified < b.modified ? -1 : 1)
    }
    const order = names.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
    return by === 'name' ? direction * order : order
  }
}
