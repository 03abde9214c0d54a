/** Entries for tests. */
import type { Entry, EntryType, Listing } from '#wire/api/entry.ts'
import { extensionOf, parsePath } from '#wire/paths.ts'

/** An entry of this path; a trailing slash makes it a folder. */
export function entry(spelled: string, changes: Partial<Entry> = {}): Entry {
  const path = parsePath(spelled)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isDir = spelled.endsWith('/')
  const type: EntryType = isDir ? '' : 'blob'
  return {
    path,
    name,
    size: 10,
    extension: isDir ? '' : extensionOf(name),
    modified: '2026-01-02T03:04:05Z',
    mode: 0,
    isDir,
    isSymlink: false,
    type,
    ...changes,
  }
}

/** A folder with these entries. */
export function folder(path: string, items: Entry[]): Listing {
  return {
    ...entry(`${path}/`),
    items,
    numDirs: items.filter((item) => item.isDir).length,
    numFiles: items.filter((item) => !item.isDir).length,
    sorting: { by: 'name', asc: true },
  }
}
