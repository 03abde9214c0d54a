/** Placeholders for uploads that are not in the folder's listing yet. */
import { signal } from '@preact/signals-react'
import { compareNames } from '#ui/lib/sort.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { rows, type UploadItem } from './signals.ts'

/** True from the first task until the listing contains all uploaded entries. */
export const isArriving = signal(false)

/** The largest number of placeholders: more are of no use to the reader. */
const GHOSTS_MAX = 100

export interface Ghost {
  name: string
  item: UploadItem
}

/**
 * @param listed the names in the listing
 * @returns placeholders, folders first, sorted by name, without failed uploads; a component that calls it renders
 * again when one is added or removed
 */
export function ghostsIn(folder: TreePath, listed: () => ReadonlySet<string>): Ghost[] {
  if (!isArriving.value || rows.value.length === 0) return []
  const here = rows.value.flatMap((item) => {
    const path = 'id' in item ? item.path : item.group
    const isComing = parentPath(path) === folder && item.shown.peek().state !== 'failed'
    return isComing ? [{ name: nameOf(path), item }] : []
  })
  if (here.length === 0) return []
  const names = listed()
  return here
    .filter(({ name }) => !names.has(name))
    .toSorted((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
    .slice(0, GHOSTS_MAX)
}

function rank({ item }: Ghost): number {
  return 'id' in item ? 1 : 0
}
