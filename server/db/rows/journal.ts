/**
 * The journal: entries with the user, the change and its steps. An entry is started before the change and finished
 * after it.
 */

import type { TreePath } from '#wire/paths.ts'
import type { Database } from '../database.ts'
import { insertNumbered, putRow } from '../insert-row.ts'
import { JoinedChanges } from './joined-changes.ts'
import { HALFWAY, type JournalLimits, markDeleted } from './journal-limits.ts'
import {
  type EntryRow,
  type StepRow,
  type StoredEntry,
  type StoredStep,
  toEntry,
  toStep,
} from './journal-rows.ts'
import { leftFolders, marksSince, type TouchedPath, wasTouched } from './touched-paths.ts'

/** Conditions on entries; absent ones match all. */
export interface EntryFilter {
  root?: string | undefined
  userId?: number | undefined
  username?: string | undefined
  session?: string | undefined
  fromMs?: number | undefined
  /** Only entries with a smaller id, which are older. */
  before?: number | undefined
  /** Only entries that are not undone, and no undos. */
  isInEffect?: boolean | undefined
}

type Parameter = string | number

/** SQL for the approximate size of a step in the database, with the indexes; and the size of an entry in bytes. */
const STEP_SIZE = `2 * octet_length(path) + 2 * octet_length(target) + octet_length(parent)
  + octet_length(target_parent) + octet_length(before) + octet_length(after) + 64`
const ENTRY_BYTES = 512

export class JournalRows {
  readonly #db: Database
  readonly joined: JoinedChanges

  constructor(db: Database) {
    this.#db = db
    this.joined = new JoinedChanges(db)
  }

  /** Runs work in a group commit. When this resolves, the changes are on the disk, unless durability is relaxed. */
  durably<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.withFiles(work)
  }

  /** Runs work without waiting for a flush. After a power failure recovery finds the state again. */
  lazily<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.lazily(work)
  }

  /** Whether an entry exists. */
  async exists(entry: number): Promise<boolean> {
    return (await this.#db.query('SELECT id FROM journal WHERE id = ?').get(entry)) !== null
  }

  /** Whether an entry is unfinished and belongs to a process. */
  async isUnfinished(entry: number, writer: string): Promise<boolean> {
    const query = this.#db.query<unknown, [number, string]>(
      'SELECT id FROM journal WHERE id = ? AND writer = ? AND is_done = 0',
    )
    return (await query.get(entry, writer)) !== null
  }

  /** Whether another entry of the same folder has made the object with this mark at a path, or renamed it to there. */
  async isBroughtByOther(entry: number, path: TreePath, mark: string): Promise<boolean> {
    const query = this.#db.query(
      `SELECT 1 FROM journal_steps AS s JOIN journal AS j ON j.id = s.entry
       WHERE s.after = $mark AND s.entry <> $entry
         AND ((s.path = $path AND s.kind = 'made') OR (s.target = $path AND s.target <> ''))
         AND j.root = (SELECT root FROM journal WHERE id = $entry) LIMIT 1`,
    )
    return (await query.get({ entry, path, mark })) !== null
  }

  /** Whether a later entry of the same folder has found the object with this mark at a path. */
  async isFoundLater(entry: number, path: TreePath, mark: string): Promise<boolean> {
    const query = this.#db.query(
      `SELECT 1 FROM journal_steps AS s JOIN journal AS j ON j.id = s.entry
       WHERE s.path = $path AND s.before = $mark AND s.entry > $entry
         AND j.root = (SELECT root FROM journal WHERE id = $entry) LIMIT 1`,
    )
    return (await query.get({ entry, path, mark })) !== null
  }

  /** @returns the id of the new entry */
  begin(entry: Omit<StoredEntry, 'id' | 'undoneBy'>): Promise<number> {
    const { atMs, userId, jobItem, to, undoOf, ...same } = entry
    return insertNumbered(this.#db, 'journal', {
      ...same,
      at_ms: atMs,
      user_id: userId,
      job_item: jobItem,
      target: to,
      undo_of: undoOf,
    })
  }

  /** Writes a step of an entry, or replaces it. */
  async putStep(entry: number, number: number, step: StoredStep): Promise<void> {
    const { to, toParent, isFolder, completeMs, ...same } = step
    const row = {
      ...same,
      entry,
      number,
      target: to,
      target_parent: toParent,
      is_folder: isFolder,
      complete_ms: completeMs,
    }
    await putRow(this.#db, 'journal_steps', row, 'entry', 'number')
  }

  async removeStep(entry: number, number: number): Promise<void> {
    await this.#db
      .query('DELETE FROM journal_steps WHERE entry = ? AND number = ?')
      .run(entry, number)
  }

  /** The number of steps of the entry that this one undoes; 0 if it undoes none. */
  async stepsToUndo(entry: number): Promise<number> {
    const row = await this.#db
      .query<{ count: number }, [number]>(
        `SELECT count(*) AS count FROM journal AS j JOIN journal_steps AS s ON s.entry = j.undo_of
         WHERE j.id = ? AND j.undo_of <> 0`,
      )
      .get(entry)
    return row?.count ?? 0
  }

  /** Undos that stopped halfway and are not rolled back, newest first. */
  async partialUndos(root: string): Promise<StoredEntry[]> {
    return (
      await this.#db
        .query<EntryRow, [string]>(
          `SELECT back.* FROM journal AS back JOIN journal AS entry ON entry.id = back.undo_of
         WHERE back.undo_of <> 0
           AND back.root = ? AND back.is_done = ${HALFWAY} AND back.undone_by = 0
           AND entry.undone_by <> back.id
         ORDER BY back.id DESC`,
        )
        .all(root)
    ).map(toEntry)
  }

  /**
   * Marks an entry as finished, and the entry that it undoes as undone.
   *
   * @param options `isPartial`: some steps of an undo did not happen, so the entry that it undoes is not undone
   * @returns the approximate size in bytes
   */
  async done(entry: number, { isPartial = false } = {}): Promise<number> {
    const row = await this.#db
      .query<{ bytes: number; undo_of: number }, { entry: number; isPartial: boolean }>(
        `UPDATE journal SET
           is_done = CASE WHEN undo_of <> 0 AND ($isPartial <> 0 OR EXISTS
               (SELECT 1 FROM journal AS j WHERE j.id = journal.undo_of AND j.is_done = ${HALFWAY}))
             THEN ${HALFWAY} ELSE 1 END,
           bytes = ${ENTRY_BYTES} +
             (SELECT coalesce(sum(${STEP_SIZE}), 0) FROM journal_steps WHERE entry = $entry)
         WHERE id = $entry RETURNING bytes, undo_of`,
      )
      .get({ entry, isPartial })
    if (!row) return 0
    const { bytes, undo_of: undoOf } = row
    if (undoOf !== 0 && !isPartial) {
      await this.#db.query('UPDATE journal SET undone_by = ? WHERE id = ?').run(entry, undoOf)
    }
    return bytes
  }

  async remove(entry: number): Promise<void> {
    await this.#db.query('DELETE FROM journal WHERE id = ?').run(entry)
  }

  /** @returns a finished entry */
  async find(root: string, id: number): Promise<StoredEntry | undefined> {
    const row = await this.#db
      .query<EntryRow, [number, string]>(
        'SELECT * FROM journal WHERE id = ? AND root = ? AND is_done = 1',
      )
      .get(id, root)
    return row ? toEntry(row) : undefined
  }

  /** @returns a finished entry of any served folder, for the operator */
  async findAny(id: number): Promise<StoredEntry | undefined> {
    const row = await this.#db
      .query<EntryRow, [number]>('SELECT * FROM journal WHERE id = ? AND is_done = 1')
      .get(id)
    return row ? toEntry(row) : undefined
  }

  /** @returns finished entries, newest first */
  async list(filter: EntryFilter, limit: number): Promise<StoredEntry[]> {
    const parts = ['is_done = 1']
    if (filter.isInEffect) parts.push("undone_by = 0 AND verb <> 'undo'")
    const values: Parameter[] = []
    const add = (part: string, value: Parameter | undefined) => {
      if (value === undefined) return
      parts.push(part)
      values.push(value)
    }
    // Of all users: from the newest entry on. With the index, SQLite would sort all entries first.
    add(filter.userId === undefined ? `root || '' = ?` : 'root = ?', filter.root)
    add('user_id = ?', filter.userId)
    add('username = ?', filter.username)
    add('session = ?', filter.session)
    add('at_ms >= ?', filter.fromMs)
    add('id < ?', filter.before)
    return (
      await this.#db
        .query<EntryRow, Parameter[]>(
          `SELECT * FROM journal WHERE ${parts.join(' AND ')} ORDER BY id DESC LIMIT ?`,
        )
        .all(...values, limit)
    ).map(toEntry)
  }

  /** The newest finished entry of a job item that was not undone, without created parent folders; 0 if there is none. */
  async ofJobItem(item: number): Promise<number> {
    const row = await this.#db
      .query<{ id: number }, [number]>(
        `SELECT id FROM journal WHERE job_item = ? AND job_item <> 0 AND is_done = 1 AND undone_by = 0
           AND EXISTS (SELECT 1 FROM journal_steps WHERE entry = id AND role <> 'part')
         ORDER BY id DESC LIMIT 1`,
      )
      .get(item)
    return row?.id ?? 0
  }

  /** Unfinished entries. */
  async unfinished(root: string): Promise<StoredEntry[]> {
    return (
      await this.#db
        .query<EntryRow, [string]>(
          'SELECT * FROM journal WHERE root = ? AND is_done = 0 ORDER BY id',
        )
        .all(root)
    ).map(toEntry)
  }

  /** Gives an unfinished entry to another process. False if it does not belong to the process `from` any more. */
  async changeWriter(id: number, { from, to }: { from: string; to: string }): Promise<boolean> {
    const query = this.#db.query(
      'UPDATE journal SET writer = ? WHERE id = ? AND writer = ? AND is_done = 0',
    )
    return (await query.run(to, id, from)).changes > 0
  }

  /** The steps of an entry in order. */
  async stepsOf(entry: number): Promise<{ number: number; step: StoredStep }[]> {
    return (
      await this.#db
        .query<StepRow & { number: number }, [number]>(
          'SELECT * FROM journal_steps WHERE entry = ? ORDER BY number',
        )
        .all(entry)
    ).map((row) => ({ number: row.number, step: toStep(row) }))
  }

  /** Steps that redid what undos of an entry had reversed, in order. */
  async redoneSteps(entry: number): Promise<StoredStep[]> {
    return (
      await this.#db
        .query<StepRow, [number]>(
          `SELECT s.* FROM journal AS back JOIN journal AS again ON again.undo_of = back.id
           JOIN journal_steps AS s ON s.entry = again.id
         WHERE back.undo_of = ? AND back.undo_of <> 0 AND again.undo_of <> 0
           AND back.is_done IN (1, ${HALFWAY}) AND again.is_done IN (1, ${HALFWAY})
         ORDER BY again.id, s.number`,
        )
        .all(entry)
    ).map(toStep)
  }

  /**
   * Content that was restored after an entry and is in the trash again, because the restore was undone.
   *
   * @returns the trash names by the marks of the content
   */
  async keptAgain(root: string, entry: number): Promise<Map<string, string>> {
    const rows = await this.#db
      .query<{ before: string; kept: string }, [string, number]>(
        `SELECT s.before, s.kept FROM journal AS restored
           JOIN journal AS back ON back.undo_of = restored.id AND back.undo_of <> 0
           JOIN journal_steps AS s ON s.entry = back.id
           JOIN kept AS k ON k.name = s.kept
         WHERE restored.root = ? AND restored.id > ? AND restored.verb = 'restore'
           AND s.kind IN ('removed', 'replaced') AND s.before <> ''
         ORDER BY back.id`,
      )
      .all(root, entry)
    return new Map(rows.map(({ before, kept }) => [before, kept]))
  }

  /** Whether the trash lacks content that a step of an entry names, or that it could not keep. */
  async namesMissingContent(entry: number): Promise<boolean> {
    const query = this.#db.query<unknown, [number]>(
      `SELECT 1 FROM journal_steps AS s WHERE s.entry = ? AND s.kind IN ('removed', 'replaced')
         AND NOT EXISTS (SELECT 1 FROM kept AS k WHERE k.name = s.kept) LIMIT 1`,
    )
    return (await query.get(entry)) !== null
  }

  /** As `leftFolders` of touched-paths.ts. */
  leftFolders(
    user: Pick<StoredEntry, 'root' | 'userId'>,
    paths: readonly TreePath[],
  ): Promise<StoredStep[]> {
    return leftFolders(this.#db, user, paths)
  }

  /** Whether a later entry that is still in effect, except some, changed a path or something below it. */
  wasTouchedAfter(entry: number, at: TouchedPath, except?: ReadonlySet<number>): Promise<boolean> {
    const isInEffect = `j.undone_by = 0 AND j.verb <> 'undo' AND j.is_done <> ${HALFWAY}`
    return wasTouched(this.#db, { first: entry + 1, ...at }, isInEffect, except)
  }

  /** @returns the `marks` whose object this entry or a later one created, renamed or removed; perhaps others too */
  marksSince(entry: number, root: string, marks: readonly string[]): Promise<Set<string>> {
    return marksSince(this.#db, { first: entry, root }, marks)
  }

  /** As `markDeleted` of journal-limits.ts. */
  markDeleted(root: string, limits: JournalLimits): Promise<number[]> {
    return markDeleted(this.#db, root, limits)
  }

  /**
   * Deletes some steps of a deleted entry, and finally the entry.
   *
   * @returns whether the entry is gone
   */
  async removeSome(entry: number, count: number): Promise<boolean> {
    const { changes } = await this.#db
      .query(
        `DELETE FROM journal_steps WHERE entry = ?1 AND number IN
           (SELECT number FROM journal_steps WHERE entry = ?1 LIMIT ?2)`,
      )
      .run(entry, count)
    if (changes === count) return false
    await this.remove(entry)
    return true
  }
}
