/** The services that the journal receives when it is created. */
import type { Peers } from '#server/cluster/peers.ts'
import type { JournalRows } from '#server/db/rows/journal.ts'
import type { TrashRows } from '#server/db/rows/trash.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Trash } from './trash.ts'

/** What the writer of journal entries and their recovery need. */
export interface JournalDeps {
  rows: JournalRows
  trashRows: TrashRows
  /**
   * The removed content on the disk, and the marks at recorded paths: it follows no links. Undefined if the storage has no
   * trash, so that nothing can be undone.
   */
  store: TrashStore | undefined
  /** The processes that write entries. */
  peers: Peers
  /** The limits of the trash, and the rows that say what is in it. */
  trash: Trash
  /** Called for each change of an earlier process, or that this one could not finish: whether it was done. */
  recovered?(outcome: 'completed' | 'takenBack'): void
  /** Frees space for the database on a full disk, for what has happened already; false if it cannot. */
  release?: (() => boolean) | undefined
  /** @returns the public shares of a path, as text for the entry; empty if there are none */
  sharesAt(path: TreePath): Promise<string>
}
