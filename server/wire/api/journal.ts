/**
 * The journal, the trash and versions in the API. The journal has an entry for each change of files, with what is
 * needed to undo it. The audit record (wire/api/audit.ts) says who did what, also what changes nothing, and undoes nothing.
 */
import { z } from 'zod'
import { ENTRY_TYPES } from './entry.ts'

/**
 * The kinds of changes, as journal entries name them; not the operations of Scope or the storage. `folder`: a new folder.
 * `sums`: a file of checksums (job `sums`). `save`: new content of a file. `restore`: an item of the trash or a
 * version. `undo` reverses an earlier entry; `redo` reverses an `undo` entry.
 */
const JOURNAL_VERBS = [
  'upload',
  'folder',
  'save',
  'rename',
  'copy',
  'extract',
  'archive',
  'sums',
  'delete',
  'restore',
  'undo',
  'redo',
] as const
export type JournalVerb = (typeof JOURNAL_VERBS)[number]

/** The client of a change: a browser, a program, or the command line. */
const JOURNAL_CLIENTS = ['web', 'api', 'cli'] as const
export type JournalClient = (typeof JOURNAL_CLIENTS)[number]

export const journalShape = z.object({
  id: z.number().meta({ description: 'increasing; a later change has a higher id' }),
  time: z.string().meta({ description: 'RFC 3339' }),
  username: z.string(),
  session: z.string().meta({ description: 'the id of the session; empty on the command line' }),
  client: z.enum(JOURNAL_CLIENTS),
  verb: z.enum(JOURNAL_VERBS),
  path: z.string().meta({
    description: 'in the served tree for administrators, in the scope for others',
  }),
  to: z.string().meta({
    description: 'the destination of a copy, rename or restore; empty if there is none',
  }),
  undoOf: z.number().meta({
    description:
      'the id of the entry that this one undoes; for a redo that of the undo; 0 for other changes',
  }),
  undoneBy: z.number().meta({
    description:
      'the id of the entry that undid this one; for an undo that of the redo; 0 if there is none',
  }),
})

/** An item in the trash, or an earlier version of a file. */
export const trashItemShape = z.object({
  id: z.number(),
  time: z.string().meta({ description: 'the time of the deletion or replacement; RFC 3339' }),
  username: z.string().meta({ description: 'the user who did it' }),
  path: z.string().meta({
    description: 'the original path; of a version, the current path of its file',
  }),
  isDir: z.boolean(),
  size: z.number().meta({ description: 'bytes; -1 for a folder that was not measured yet' }),
  modified: z.string().meta({ description: 'RFC 3339' }),
  type: z.enum(ENTRY_TYPES).optional().meta({
    description: 'the type by its name; absent for versions',
  }),
  expires: z.string().optional().meta({
    description:
      'when the trash deletes it permanently, if it has not deleted it before for lack of space; RFC 3339; absent for versions',
  }),
  snapshot: z.string().optional().meta({
    description:
      'the name of the file system snapshot with this version; absent for content that the server keeps itself',
  }),
})

/**
 * The result of an undo or redo for one entry. With `preview` nothing is changed, and the result is the expected one.
 */
export const undoResultShape = z.object({
  id: z.number().meta({ description: 'the id of the entry' }),
  undoneBy: z.number().meta({
    description: 'the id of the undo or redo entry; 0 if there is none',
  }),
  fault: z.string().meta({ description: 'why the entry is not undone, as in X-Fault; or empty' }),
  problem: z.string().meta({ description: 'the same as an English sentence' }),
})

/** The result for one item of a restore. */
export const restoredShape = z.object({
  id: z.number().meta({ description: 'the id of the item' }),
  path: z.string().meta({ description: 'the current path; empty if it stays in the trash' }),
  fault: z.string().meta({ description: 'why it was not restored, as in X-Fault; or empty' }),
  problem: z.string().meta({ description: 'the same as an English sentence' }),
  shares: z.number().meta({ description: 'the number of public shares that are open again' }),
})

export type JournalEntry = z.infer<typeof journalShape>
export type TrashItemInfo = z.infer<typeof trashItemShape>
export type UndoResult = z.infer<typeof undoResultShape>
export type Restored = z.infer<typeof restoredShape>
