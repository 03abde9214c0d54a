/** A journal with its trash, on an open storage and a database without a server. */
import type { Database } from 'bun:sqlite'
import { ALONE, peersInFolder } from '#server/cluster/peers.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { Journal, type JournalOptions } from '#server/journal/journal.ts'
import { Trash } from '#server/journal/trash.ts'
import type { Storage } from '#server/storage/storage.ts'
import { ROOT } from '#wire/paths.ts'
import { JOURNAL_LIMITS, TRASH_LIMITS } from './journal-limits.ts'

/** @param root by which the rows know the served folder */
export function journalOf(
  db: Database,
  storage: Storage,
  root: string,
  options: Partial<JournalOptions> = {},
) {
  const flushes = new FlushQueue()
  const data = new SqliteDatabase(db, (log) => flushes.shared(log))
  const [rows, trashRows] = [new JournalRows(data), new TrashRows(data)]
  const store = storage.can.trash
  const trash = new Trash(trashRows, store, () => storage.usage(ROOT), { root, ...TRASH_LIMITS })
  const peers = peersInFolder(store ?? ALONE)
  const journal = new Journal(
    { rows, trashRows, store, peers, trash, sharesAt: async () => '' },
    { root, ...JOURNAL_LIMITS, ...options },
  )
  return { journal, trash, rows, trashRows }
}
