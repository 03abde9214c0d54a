/** Jobs and their items, which outlive the process that runs them. */

import type { JobRequestName, JobState } from '#wire/api/jobs.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Database, UNLIMITED } from '../database.ts'
import { insertNumbered, insertRow } from '../insert-row.ts'
import {
  type ItemRow,
  type ItemSums,
  type JobColumns,
  type NewItem,
  type NewJob,
  NO_FAILURE,
  type StoredItem,
  type StoredJob,
  toItem,
  toJob,
} from './job-rows.ts'

/** SQL that selects jobs with the user name of the owner. */
const JOBS = 'SELECT jobs.*, username FROM jobs JOIN users ON users.id = user_id'
/** SQL condition: the job of an item belongs to a process, which may be null for any. */
const IS_OWN =
  'EXISTS (SELECT 1 FROM jobs WHERE jobs.id = $job AND jobs.writer = coalesce($writer, jobs.writer))'
const UNFINISHED = "state IN ('waiting', 'running', 'paused')"

export class JobRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  /**
   * @param accept called in the same transaction; throwing refuses the job
   * @returns the id of the new job
   */
  insert(
    job: NewJob,
    items: readonly NewItem[],
    accept: () => Promise<void> = async () => undefined,
  ): Promise<number> {
    return this.#db.transaction(async () => {
      await accept()
      const id = await insertNumbered(this.#db, 'jobs', {
        root: job.root,
        writer: job.writer,
        user_id: job.userId,
        session: job.session,
        client: job.client,
        scope: job.scope,
        kind: job.kind,
        target: job.to,
        source: job.source,
        state: job.state,
        made_ms: job.madeMs,
        is_partial: job.isPartial,
      })
      for (const item of items) await this.#insertItem(id, item)
      return id
    })
  }

  async find(root: string, id: number): Promise<StoredJob | undefined> {
    const row = await this.#db
      .query<JobColumns, [string, number]>(`${JOBS} WHERE root = ? AND jobs.id = ?`)
      .get(root, id)
    return row ? toJob(row) : undefined
  }

  /** @returns the jobs of a user, or of all users if it is undefined; newest first */
  async list(root: string, userId: number | undefined, limit: number): Promise<StoredJob[]> {
    return (
      await this.#db
        .query<JobColumns, [string, number, number]>(
          `${JOBS} WHERE root = ?1 AND (?2 = -1 OR user_id = ?2) ORDER BY jobs.id DESC LIMIT ?3`,
        )
        .all(root, userId ?? -1, limit)
    ).map(toJob)
  }

  /** The jobs of all served folders, for the operator. */
  async listAll(userId: number | undefined, limit: number): Promise<StoredJob[]> {
    return (
      await this.#db
        .query<JobColumns, [number, number]>(
          `${JOBS} WHERE ?1 = -1 OR user_id = ?1 ORDER BY jobs.id DESC LIMIT ?2`,
        )
        .all(userId ?? -1, limit)
    ).map(toJob)
  }

  async findAny(id: number): Promise<StoredJob | undefined> {
    const row = await this.#db.query<JobColumns, [number]>(`${JOBS} WHERE jobs.id = ?`).get(id)
    return row ? toJob(row) : undefined
  }

  /** Stores a request for the server that runs the job; empty withdraws one. A stored cancellation stays. */
  async request(id: number, request: StoredJob['request']): Promise<void> {
    const sql = "UPDATE jobs SET request = ? WHERE id = ? AND request <> 'cancel'"
    await this.#db.query(sql).run(request, id)
  }

  /** Reads and deletes the requests for a process. One that is stored in between stays for the next call. */
  async takeRequests(
    root: string,
    writer: string,
  ): Promise<{ id: number; request: JobRequestName }[]> {
    const query = this.#db.query<{ id: number; request: JobRequestName }, [string, string]>(
      `SELECT id, request FROM jobs WHERE root = ? AND writer = ? AND request <> ''`,
    )
    if ((await query.all(root, writer)).length === 0) return []
    return this.#db.lazily(async () => {
      const taken = await query.all(root, writer)
      for (const { id } of taken) {
        await this.#db.query("UPDATE jobs SET request = '' WHERE id = ?").run(id)
      }
      return taken
    })
  }

  /** Unfinished jobs, the oldest first. */
  async unfinished(root: string): Promise<StoredJob[]> {
    return (
      await this.#db
        .query<JobColumns, [string]>(`${JOBS} WHERE root = ? AND ${UNFINISHED} ORDER BY jobs.id`)
        .all(root)
    ).map(toJob)
  }

  /** Finished jobs whose partial copies were not removed yet, which `ended_ms` of 0 tells. */
  async listWithLeftovers(root: string): Promise<StoredJob[]> {
    return (
      await this.#db
        .query<JobColumns, [string]>(
          `${JOBS} WHERE root = ? AND NOT ${UNFINISHED} AND ended_ms = 0`,
        )
        .all(root)
    ).map(toJob)
  }

  /** Whether the partial copy of this name belongs to an item of a stored job. */
  async hasCopy(name: string): Promise<boolean> {
    return (await this.#db.query('SELECT 1 FROM job_items WHERE copy_name = ?').get(name)) !== null
  }

  /** The number of unfinished jobs: of one user, and of all. */
  async countUnfinished(root: string, userId: number): Promise<{ ofUser: number; all: number }> {
    const row = await this.#db
      .query<{ own: number; total: number }, [number, string]>(
        `SELECT count(*) FILTER (WHERE user_id = ?) AS own, count(*) AS total FROM jobs WHERE root = ? AND ${UNFINISHED}`,
      )
      .get(userId, root)
    return { ofUser: row?.own ?? 0, all: row?.total ?? 0 }
  }

  /**
   * @param writer the process that must still have the job; undefined: any
   * @returns false if there is no such job, or another process has it
   */
  async setState(
    id: number,
    state: JobState,
    { fault, reason } = NO_FAILURE,
    endedMs = 0,
    writer?: string,
  ): Promise<boolean> {
    const query = this.#db.query(
      `UPDATE jobs SET state = $state, fault = $fault, reason = $reason, ended_ms = $endedMs
       WHERE id = $id AND writer = coalesce($writer, writer)`,
    )
    const values = { id, state, fault, reason, endedMs, writer: writer ?? null }
    return (await query.run(values)).changes > 0
  }

  /**
   * Makes a job wait for its turn in a process.
   *
   * @param from the state so far
   * @returns false if another request has changed the state
   */
  async begin(id: number, from: JobState, writer: string | undefined): Promise<boolean> {
    const { fault, reason } = NO_FAILURE
    const query = this.#db.query(
      `UPDATE jobs SET state = 'waiting', fault = $fault, reason = $reason, ended_ms = 0,
         writer = coalesce($writer, writer) WHERE id = $id AND state = $from`,
    )
    const { changes } = await query.run({ id, from, writer: writer ?? null, fault, reason })
    return changes > 0
  }

  /**
   * Gives the job of a process that has ended to another one. It is decided first what has become of the changes that it
   * was making.
   *
   * @returns false if it does not belong to the process `from` any more, or another process has an unfinished journal entry
   *   of it
   */
  async claim(id: number, { from, to }: { from: string; to: string }): Promise<boolean> {
    const query = this.#db.query(
      `UPDATE jobs SET writer = $to WHERE id = $id AND writer = $from AND NOT EXISTS
         (SELECT 1 FROM journal JOIN job_items ON job_items.id = journal.job_item
          WHERE job_items.job = $id AND journal.is_done = 0 AND journal.writer <> $to)`,
    )
    return (await query.run({ id, from, to })).changes > 0
  }

  /**
   * Gives the partial copies of unfinished items new names, so that they begin again.
   *
   * @param newName makes a name
   * @returns the items with the names so far
   */
  renameCopies(job: number, newName: () => string): Promise<StoredItem[]> {
    return this.#db.transaction(async () => {
      const items = (await this.items(job)).filter(
        ({ state, copyName }) => state !== 'done' && copyName !== '',
      )
      for (const { id } of items) {
        await this.#db.query('UPDATE job_items SET copy_name = ? WHERE id = ?').run(newName(), id)
      }
      return items
    })
  }

  async remove(id: number): Promise<void> {
    await this.#db.query('DELETE FROM jobs WHERE id = ?').run(id)
  }

  /** Deletes jobs that ended before a time, and the oldest of each user beyond a number; never unfinished ones. */
  async deleteOld(root: string, endedBeforeMs: number, countMax: number): Promise<void> {
    await this.#db
      .query(`DELETE FROM jobs WHERE root = ? AND NOT ${UNFINISHED} AND ended_ms BETWEEN 1 AND ?`)
      .run(root, endedBeforeMs)
    await this.#db
      .query(
        `DELETE FROM jobs WHERE root = ?1 AND NOT ${UNFINISHED} AND ended_ms > 0 AND id IN
           (SELECT id FROM
              (SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS position
               FROM jobs WHERE root = ?1) AS positioned
            WHERE position > ?2)`,
      )
      .run(root, countMax)
  }

  /** The items of a job in order. */
  async items(job: number, limit = UNLIMITED, after = 0): Promise<StoredItem[]> {
    return (
      await this.#db
        .query<ItemRow, [number, number, number]>(
          'SELECT * FROM job_items WHERE job = ? AND id > ? ORDER BY id LIMIT ?',
        )
        .all(job, after, limit)
    ).map(toItem)
  }

  /** The first failed items of a job, in order. */
  async listFirstFailed(job: number, limit: number): Promise<StoredItem[]> {
    return (
      await this.#db
        .query<ItemRow, [number, number]>(
          "SELECT * FROM job_items WHERE job = ? AND state = 'failed' ORDER BY id LIMIT ?",
        )
        .all(job, limit)
    ).map(toItem)
  }

  /** The next item to do; one that was started comes first. */
  async nextItem(job: number): Promise<StoredItem | undefined> {
    const row = await this.#db
      .query<ItemRow, [number]>(
        `SELECT * FROM job_items WHERE job = ? AND state IN ('running', 'waiting')
         ORDER BY state = 'waiting', id LIMIT 1`,
      )
      .get(job)
    return row ? toItem(row) : undefined
  }

  /**
   * Writes the fields of an item that change, without a flush: after a power failure the journal has its state.
   *
   * @param writer as of `setState`
   * @returns as `setState`
   */
  async saveItem(item: StoredItem, writer?: string): Promise<boolean> {
    const { id, state, entry, fault, reason, failedPath, decision } = item
    const known = { id, state, entry, fault, reason, failedPath, decision }
    const { mergesFolders, sourceVersion: version, resultPath: landed } = item
    const own = { job: item.job, writer: writer ?? null }
    const values = { ...known, ...own, merges: mergesFolders ? 1 : 0, version, landed }
    const { changes } = await this.#db.lazily(() =>
      this.#db
        .query(
          `UPDATE job_items SET state = $state, merges = $merges, source_version = $version,
             landed = $landed, entry = $entry, fault = $fault, reason = $reason,
             failed_path = $failedPath, decision = $decision
           WHERE id = $id AND ${IS_OWN}`,
        )
        .run(values),
    )
    return changes > 0
  }

  /** Copies the state of an item to the other items of its job, except skipped ones and failed parts. */
  async saveOtherItems(
    { job, id, state, fault, reason, failedPath }: StoredItem,
    writer: string,
  ): Promise<void> {
    const query = this.#db.query(
      `UPDATE job_items SET state = $state, fault = $fault, reason = $reason,
         failed_path = $failedPath
       WHERE job = $job AND id <> $id AND part = '' AND state <> 'skipped' AND ${IS_OWN}`,
    )
    const values = { job, id, state, fault, reason, failedPath, writer }
    await this.#db.lazily(() => query.run(values))
  }

  /** Whether every item of a job has failed. */
  async allFailed(job: number): Promise<boolean> {
    return !(await this.#db
      .query("SELECT 1 FROM job_items WHERE job = ? AND state <> 'failed'")
      .get(job))
  }

  /** Replaces the items for the failed parts of the item `whole`, unless another process than `writer` has the job. */
  async replaceParts(whole: StoredItem, parts: readonly NewItem[], writer: string): Promise<void> {
    await this.#db.transaction(async () => {
      const query = this.#db.query('SELECT 1 FROM jobs WHERE id = ? AND writer = ?')
      if (!(await query.get(whole.job, writer))) return
      await this.#db
        .query("DELETE FROM job_items WHERE job = ? AND path = ? AND part <> ''")
        .run(whole.job, whole.path)
      for (const part of parts) await this.#insertItem(whole.job, part)
    })
  }

  /** The journal entries of a job's items, in order. */
  async entries(job: number, limit: number): Promise<number[]> {
    return (
      await this.#db
        .query<{ id: number }, [number, number]>(
          `SELECT id FROM journal WHERE is_done = 1 AND job_item <> 0
           AND job_item IN (SELECT id FROM job_items WHERE job = ?) ORDER BY id LIMIT ?`,
        )
        .all(job, limit)
    ).map(({ id }) => id)
  }

  /** The real paths that an item has created and that were not undone. */
  async createdBy(item: number): Promise<TreePath[]> {
    return (
      (
        await this.#db
          .query<{ path: string }, [number]>(
            `SELECT s.path FROM journal_steps s JOIN journal j ON j.id = s.entry
         WHERE j.job_item = ? AND j.job_item <> 0 AND j.is_done = 1 AND j.undone_by = 0
           AND s.kind IN ('made', 'replaced')`,
          )
          .all(item)
      )
        // Written only from this type.
        .map(({ path }) => path as TreePath)
    )
  }

  async sums(job: number): Promise<ItemSums> {
    const row = await this.#db
      .query<ItemSums, [number]>(
        `SELECT count(*) FILTER (WHERE part = '') AS items,
           count(*) FILTER (WHERE state = 'failed') AS failed,
           CAST(coalesce(sum(files) FILTER (WHERE state <> 'skipped'), 0) AS BIGINT) AS files,
           CAST(coalesce(sum(bytes) FILTER (WHERE state <> 'skipped'), 0) AS BIGINT) AS bytes,
           CAST(coalesce(sum(files) FILTER (WHERE state = 'done'), 0) AS BIGINT) AS "filesDone",
           CAST(coalesce(sum(bytes) FILTER (WHERE state = 'done'), 0) AS BIGINT) AS "bytesDone"
         FROM job_items WHERE job = ?`,
      )
      .get(job)
    return row ?? { items: 0, failed: 0, files: 0, bytes: 0, filesDone: 0, bytesDone: 0 }
  }

  async #insertItem(job: number, item: NewItem): Promise<void> {
    const { path, part, to, decision, copyName, state, fault, reason, files, bytes } = item
    const columns = { job, path, part, decision, state, fault, reason, files, bytes }
    await insertRow(this.#db, 'job_items', { ...columns, target: to, copy_name: copyName })
  }
}
