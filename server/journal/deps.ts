/** The services that the journal is given. */
import type { JournalRows } from '#server/db/journal.ts'
import type { TrashRows } from '#server/db/trash.ts'
import type { TrashStore } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Trash } from './trash.ts'

/** Everything that writes or recovers journal entries. */
export interface JournalDeps {
  rows: JournalRows
  trashRows: TrashRows
  /** The trash of the whole served tree; undefined if nothing can be kept, so that nothing can be undone. */
  content: TrashStore | undefined
  trash: Trash
  /** @returns the public shares of a path, as text for the entry; empty if there are none */
  sharesAt(path: TreePath): string
}
