import { filesUrl, goTo } from '#ui/lib/location.ts'
import type { Entry } from '#wire/entry.ts'

/** Opens a folder, or a file's page. */
export function openEntry(entry: Entry): void {
  goTo(filesUrl(entry.path, entry.isDir))
}
