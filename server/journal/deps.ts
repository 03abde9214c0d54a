/** What the journal is given. */
import type { JournalRows } from '#server/db/journal.ts'
import type { KeptRows } from '#server/db/kept.ts'
import type { Kept } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Trash } from './trash.ts'

/** Everything that writes and settles entries. */
export interface JournalDeps {
  rows: JournalRows
  kept: KeptRows
  /** Of the whole served tree; undefined where nothing can be kept, and so nothing be taken back. */
  content: Kept | undefined
  trash: Trash
  /** Which public links lead to a place, as a text; empty for none. */
  sharesAt(path: TreePath): string
}
