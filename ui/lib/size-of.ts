/** Bytes of all files among `entries`; what is inside folders is not known without asking. */
import type { Entry } from '#wire/entry.ts'

export function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => (entry.isDir ? sum : sum + entry.size), 0)
}
