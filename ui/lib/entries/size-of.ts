/** The size of all files among `entries`, and of those in folders whose size is known. */
import type { Entry } from '#wire/api/entry.ts'

export function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce(
    (sum, entry) => sum + ((entry.isDir ? entry.totalSize : entry.size) ?? 0),
    0,
  )
}
