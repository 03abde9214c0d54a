import { filesUrl, goTo } from '#ui/lib/location.ts'
import type { Entry } from '#wire/entry.ts'

/** Goes into a folder, or to a file's page. */
export function openEntry(entry: Entry): void {
  goTo(filesUrl(entry.path, entry.isDir))
}
