import { filesUrl, goTo } from '#ui/lib/location.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'

/** Goes into a folder, or to a file's page. */
export function openEntry(entry: Entry): void {
  // The server spells an entry's path as a clean TreePath.
  goTo(filesUrl(entry.path as TreePath, entry.isDir))
}
