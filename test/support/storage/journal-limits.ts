/** Limits of the trash and of the journal that are too high to affect a test. */
import type { JournalOptions } from '#server/journal/journal.ts'
import type { TrashOptions } from '#server/journal/trash.ts'

export const TRASH_LIMITS: Omit<TrashOptions, 'root'> = {
  isOn: true,
  excluded: [],
  keepMs: 1_000_000,
  sharePercent: 100,
  versionsMax: 100,
  itemsMax: 1000,
  nowMs: Date.now,
}

export const JOURNAL_LIMITS: Omit<JournalOptions, 'root'> = {
  keepMs: 1_000_000,
  entriesMax: 1000,
  bytesMax: 2 ** 30,
}
