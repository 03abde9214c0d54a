/** Limits of the trash and of the journal that no test reaches by chance. */
import type { JournalOptions } from '#server/journal/journal.ts'
import type { TrashOptions } from '#server/journal/trash.ts'

export const TRASH_LIMITS: Omit<TrashOptions, 'root'> = {
  isOn: true,
  except: [],
  keepMs: 1_000_000,
  sharePercent: 100,
  versionsMax: 100,
  thingsMax: 1000,
}

export const JOURNAL_LIMITS: Omit<JournalOptions, 'root'> = {
  keepMs: 1_000_000,
  entriesMax: 1000,
  bytesMax: 2 ** 30,
}
