/** The journal: what was changed, by whom, and in which steps. An entry is begun before the change and done after it. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'
import type { Commits } from './commits.ts'
import { insertRow } from './insert-row.ts'
import {
  type EntryRow,
  type StepRow,
  type StoredEntry,
  type StoredStep,
  toEntry,
  toStep,
} from './journal-rows.ts'

/** Which entries are wanted; what is left out does not matter. */
export interface EntryFilter {
  root?: string | undefined
  userId?: number | undefined
  username?: string | undefined
  session?: string | undefined
  fromMs?: number | undefined
  /** Older than the entry of this number. */
  before?: number | undefined
}

type Parameter = string | number

/** `is_done` of an entry that nobody finds any more. */
const FORGOTTEN = 2
/** Room in the database, about: names stand in an index, too. */
const STEP_SIZE =
  '2 * octet_length(path) + 2 * octet_length(target) + octet_length(before) + octet_length(after) + 64'
const ENTRY_BYTES = 512

export class JournalRows {
  readonly #db: Database
  readonly #commits: Commits

  constructor(db: Database, commits: Commits) {
    this.#db = db
    this.#commits = commits
  }

  /** Runs work in one transaction, and forces what it wrote to the disk. */
  together<T>(work: () => T): T {
    return this.#commits.writeThrough(work)
  }

  /** The same, off this thread and in one flush with others: it is on the disk when this resolves. */
  durably<T>(work: () => T): Promise<T> {
    return this.#commits.durably(work)
  }

  /** Leaves the disk its time: what a power failure takes of it is found out again at the next start. */
  lazily<T>(work: () => T): Promise<T> {
    return this.#commits.lazily(work)
  }

  /** Whether an entry was begun, and is there. */
  isThere(entry: number): boolean {
    return this.#db.query('SELECT id FROM journal WHERE id = ?').get(entry) !== null
  }

  /** @returns the number of the new entry */
  begin(entry: Omit<StoredEntry, 'id' | 'isDone' | 'undoneBy'>): number {
    const { atMs, userId, jobItem, to, undoOf, ...same } = entry
    return insertRow(this.#db, 'journal', {
      ...same,
      at_ms: atMs,
      user_id: userId,
      job_item: jobItem,
      target: to,
      undo_of: undoOf,
    })
  }

  /** Writes steps of an entry; a number that has a step already gets this one. */
  putStep(entry: number, number: number, step: StoredStep): void {
    const { to, isFolder, ...same } = step
    const row = { ...same, entry, number, target: to, is_folder: isFolder }
    insertRow(this.#db, 'journal_steps', row, 'INSERT OR REPLACE')
  }

  removeStep(entry: number, number: number): void {
    this.#db.query('DELETE FROM journal_steps WHERE entry = ? AND number = ?').run(entry, number)
  }

  /**
   * An entry is done, and what it undoes is undone.
   *
   * @param how.partly some of its steps did not happen: what it undoes is not undone
   * @returns how much room it takes, in bytes, about
   */
  done(entry: number, { partly = false } = {}): number {
    const row = this.#db
      .query<{ bytes: number }, [number]>(
        `UPDATE journal SET is_done = 1, bytes = ${ENTRY_BYTES} +
           (SELECT coalesce(sum(${STEP_SIZE}), 0) FROM journal_steps WHERE entry = ?1)
         WHERE id = ?1 RETURNING bytes`,
      )
      .get(entry)
    if (!partly) {
      this.#db
        .query(
          'UPDATE journal SET undone_by = ?1 WHERE id = (SELECT undo_of FROM journal WHERE id = ?1)',
        )
        .run(entry)
    }
    return row?.bytes ?? 0
  }

  remove(entry: number): void {
    this.#db.query('DELETE FROM journal WHERE id = ?').run(entry)
  }

  /** An entry that is done. */
  find(root: string, id: number): StoredEntry | undefined {
    const row = this.#db
      .query<EntryRow, [number, string]>(
        'SELECT * FROM journal WHERE id = ? AND root = ? AND is_done = 1',
      )
      .get(id, root)
    return row ? toEntry(row) : undefined
  }

  /** The same of any tree, for the operator. */
  findAny(id: number): StoredEntry | undefined {
    const row = this.#db
      .query<EntryRow, [number]>('SELECT * FROM journal WHERE id = ? AND is_done = 1')
      .get(id)
    return row ? toEntry(row) : undefined
  }

  /** Entries that are done, newest first. */
  list(filter: EntryFilter, limit: number): StoredEntry[] {
    const parts = ['is_done = 1']
    const values: Parameter[] = []
    const add = (part: string, value: Parameter | undefined) => {
      if (value === undefined) return
      parts.push(part)
      values.push(value)
    }
    add('root = ?', filter.root)
    add('user_id = ?', filter.userId)
    add('username = ?', filter.username)
    add('session = ?', filter.session)
    add('at_ms >= ?', filter.fromMs)
    add('id < ?', filter.before)
    return this.#db
      .query<EntryRow, Parameter[]>(
        `SELECT * FROM journal WHERE ${parts.join(' AND ')} ORDER BY id DESC LIMIT ?`,
      )
      .all(...values, limit)
      .map(toEntry)
  }

  /** The entry of what an item of a job has changed, the newest; 0 for none. Folders made on the way do not count. */
  ofJobItem(item: number): number {
    const row = this.#db
      .query<{ id: number }, [number]>(
        `SELECT id FROM journal WHERE job_item = ? AND job_item <> 0 AND is_done = 1 AND undone_by = 0
           AND EXISTS (SELECT 1 FROM journal_steps WHERE entry = id AND role <> 'part')
         ORDER BY id DESC LIMIT 1`,
      )
      .get(item)
    return row?.id ?? 0
  }

  /** Entries that were begun and not done. */
  unfinished(root: string): StoredEntry[] {
    return this.#db
      .query<EntryRow, [string]>('SELECT * FROM journal WHERE root = ? AND is_done = 0 ORDER BY id')
      .all(root)
      .map(toEntry)
  }

  /** The steps of an entry, in their order. */
  stepsOf(entry: number): { number: number; step: StoredStep }[] {
    return this.#db
      .query<StepRow & { number: number }, [number]>(
        'SELECT * FROM journal_steps WHERE entry = ? ORDER BY number',
      )
      .all(entry)
      .map((row) => ({ number: row.number, step: toStep(row) }))
  }

  /** Whether a later entry, which is not taken back, changed something at a path or below it. */
  wasTouchedAfter(entry: number, root: string, path: TreePath): boolean {
    const [first, end] = [`${path}/`, `${path}0`]
    // One part for each range of an index, and the steps first: later entries may have any number of others.
    const parts = ['path', 'target'].flatMap((column) =>
      [`s.${column} = $path`, `s.${column} >= $first AND s.${column} < $end`].map(
        (range) =>
          `SELECT j.id FROM journal_steps s CROSS JOIN journal j ON j.id = s.entry
           WHERE ${range} AND s.${column} <> '' AND s.entry > $entry
             AND j.root = $root AND j.undone_by = 0 AND j.verb <> 'undo'`,
      ),
    )
    const found = this.#db
      .query<{ id: number }, Record<string, string | number>>(
        `${parts.join(' UNION ALL ')} LIMIT 1`,
      )
      .get({ entry, root, path, first, end })
    return found !== null
  }

  /**
   * Forgets what is older, and the oldest beyond so many and so large; never what is not done. Nobody finds these
   * entries from here on.
   *
   * @returns their numbers, and those of earlier ones that `removeSteps` has not emptied yet
   */
  forget(
    root: string,
    { olderThanMs, keep, bytes }: { olderThanMs: number; keep: number; bytes: number },
  ): number[] {
    this.#db
      .query(
        `UPDATE journal SET is_done = ${FORGOTTEN} WHERE root = $root AND is_done = 1 AND (at_ms < $olderThanMs
           OR id <= (SELECT id FROM journal WHERE root = $root ORDER BY id DESC LIMIT 1 OFFSET $keep)
           OR id <= (SELECT max(id) FROM
             (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM journal WHERE root = $root)
             WHERE total > $bytes))`,
      )
      .run({ root, olderThanMs, keep, bytes })
    return this.#db
      .query<{ id: number }, [string]>(
        `SELECT id FROM journal WHERE root = ? AND is_done = ${FORGOTTEN}`,
      )
      .all(root)
      .map(({ id }) => id)
  }

  /** Removes some steps of a forgotten entry, and then the entry. @returns whether it is gone */
  removeSome(entry: number, count: number): boolean {
    const { changes } = this.#db
      .query(
        `DELETE FROM journal_steps WHERE entry = ?1 AND number IN
           (SELECT number FROM journal_steps WHERE entry = ?1 LIMIT ?2)`,
      )
      .run(entry, count)
    if (changes === count) return false
    this.remove(entry)
    return true
  }
}
