/** Placeholders for uploads that are not in the folder's listing yet. */

import { signal } from '@preact/signals-react'
import { compareNames } from '#ui/lib/entries/sort.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { rows, type UploadItem } from './signals.ts'

/** True from the first task until the listing contains all uploaded entries. */
export const isUploading = signal(false)

export interface UploadingRow {
  name: string
  item: UploadItem
}

/**
 * @param listed the names in the listing
 * @returns placeholders, folders first, sorted by name, without failed uploads; a component that calls it renders
 * again when one is added or removed
 */
export function uploadingRowsIn(
  folder: TreePath,
  listed: () => ReadonlySet<string>,
): UploadingRow[] {
  if (!isUploading.value || rows.value.length === 0) return []
  const placeholders = rows.value.flatMap((item) => {
    const path = 'id' in item ? item.path : item.group
    const isMissing = parentPath(path) === folder && item.shown.peek().state !== 'failed'
    return isMissing ? [{ name: nameOf(path), item }] : []
  })
  if (placeholders.length === 0) return []
  const names = listed()
  return placeholders
    .filter(({ name }) => !names.has(name))
    .toSorted((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
    .slice(0, UI_LIMITS.uploadingRowsMax)
}

function rank({ item }: UploadingRow): number {
  return 'id' in item ? 1 : 0
}
