/** Entries of the journal and items of the trash, for the tests of their rows. */

import { JournalRows } from '#server/db/rows/journal.ts'
import type { StoredEntry, StoredStep } from '#server/db/rows/journal-rows.ts'
import type { TrashRows } from '#server/db/rows/trash.ts'
import { parsePath } from '#wire/paths.ts'
import type { Given } from './fixture.ts'

export const ROOT = '/served'

export function entry(values: Partial<StoredEntry> = {}): Omit<StoredEntry, 'id' | 'undoneBy'> {
  return {
    root: ROOT,
    writer: 'me',
    atMs: 1,
    userId: 1,
    username: 'anna',
    session: '',
    client: 'api',
    jobItem: 0,
    verb: 'save',
    scope: '',
    path: parsePath('/a'),
    to: '',
    undoOf: 0,
    ...values,
  }
}

export function step(path: string, values: Partial<StoredStep> = {}): StoredStep {
  return {
    kind: 'replaced',
    role: 'version',
    path: parsePath(path),
    to: '',
    parent: '',
    toParent: '',
    before: '',
    after: '',
    kept: '',
    isFolder: false,
    completeMs: 0,
    ...values,
  }
}

/** Inserts a finished entry with its steps. @returns its id */
export async function insertChange(
  { db }: Given,
  values: Partial<StoredEntry>,
  ...steps: StoredStep[]
): Promise<number> {
  const rows = new JournalRows(db)
  const id = await rows.begin(entry(values))
  for (const [number, one] of steps.entries()) await rows.putStep(id, number, one)
  await rows.done(id)
  return id
}

type NewItem = Parameters<TrashRows['insert']>[0]

/** An item whose content has the name `<24 characters>.<trash folder>`. */
export function kept(name: string, path: string, values: Partial<NewItem> = {}): NewItem {
  return {
    name: `${name.padEnd(24, '-')}.trash`,
    root: ROOT,
    entry: 0,
    atMs: 1,
    userId: 1,
    username: 'anna',
    role: 'trash',
    path: parsePath(path),
    isFolder: false,
    sizeBytes: 5,
    diskBytes: 8192,
    modifiedMs: 1,
    shares: '',
    ...values,
  }
}

/** The part of a name before the trash folder. */
export function shortName({ name }: { name: string }): string {
  return name.replace(/-*\.trash$/, '')
}
