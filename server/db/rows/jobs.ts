/** Jobs and their items, which outlive the process that runs them. */
import type { Database } from 'bun:sqlite'
import type { JobRequestName, JobState } from '#wire/api/jobs.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Commits } from '../commits.ts'
import { insertRow } from '../insert-row.ts'
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
const UNFINISHED = "state IN ('waiting', 'running', 'paused')"

export class JobRows {
  readonly #db: Database
  readonly #commits: Commits

  constructor(db: Database, commits: Commits) {
    this.#db = db
    this.#commits = commits
  }

  /** @returns the id of the new job */
  insert(job: NewJob, items: readonly NewItem[]): number {
    return this.#db
      .transaction(() => {
        const id = insertRow(this.#db, 'jobs', {
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
        for (const item of items) this.#insertItem(id, item)
        return id
      })
      .immediate()
  }

  find(root: string, id: number): StoredJob | undefined {
    const row = this.#db
      .query<JobColumns, [string, number]>(`${JOBS} WHERE root = ? AND jobs.id = ?`)
      .get(root, id)
    return row ? toJob(row) : undefined
  }

  /** @returns the jobs of a user, or of all users if it is undefined; newest first */
  list(root: string, userId: number | undefined, limit: number): StoredJob[] {
    return this.#db
      .query<JobColumns, [string, number, number]>(
        `${JOBS} WHERE root = ?1 AND (?2 = -1 OR user_id = ?2) ORDER BY jobs.id DESC LIMIT ?3`,
      )
      .all(root, userId ?? -1, limit)
      .map(toJob)
  }

  /** The jobs of all served folders, for the operator. */
  listAll(userId: number | undefined, limit: number): StoredJob[] {
    return this.#db
      .query<JobColumns, [number, number]>(
        `${JOBS} WHERE ?1 = -1 OR user_id = ?1 ORDER BY jobs.id DESC LIMIT ?2`,
      )
      .all(userId ?? -1, limit)
      .map(toJob)
  }

  findAny(id: number): StoredJob | undefined {
    const row = this.#db.query<JobColumns, [number]>(`${JOBS} WHERE jobs.id = ?`).get(id)
    return row ? toJob(row) : undefined
  }

  /** Stores a request for the server that runs the job; empty withdraws one. A stored cancellation stays. */
  request(id: number, request: StoredJob['request']): void {
    const sql = "UPDATE jobs SET request = ? WHERE id = ? AND request <> 'cancel'"
    this.#db.query(sql).run(request, id)
  }

  /** Reads and deletes the requests for a process. One that is stored in between stays for the next call. */
  takeRequests(root: string, writer: string): { id: number; request: JobRequestName }[] {
    return this.#db
      .query<{ id: number; request: JobRequestName }, [string, string]>(
        `SELECT id, request FROM jobs WHERE root = ? AND writer = ? AND request <> ''`,
      )
      .all(root, writer)
      .map((row) => {
        const sql = "UPDATE jobs SET request = '' WHERE id = ? AND request = ?"
        this.#db.query(sql).run(row.id, row.request)
        return row
      })
  }

  /** Unfinished jobs, the oldest first. */
  unfinished(root: string): StoredJob[] {
    return this.#db
      .query<JobColumns, [string]>(`${JOBS} WHERE root = ? AND ${UNFINISHED} ORDER BY jobs.id`)
      .all(root)
      .map(toJob)
  }

  /** Finished jobs whose partial copies were not removed yet, which `ended_ms` of 0 tells. */
  listWithLeftovers(root: string): StoredJob[] {
    return this.#db
      .query<JobColumns, [string]>(`${JOBS} WHERE root = ? AND NOT ${UNFINISHED} AND ended_ms = 0`)
      .all(root)
      .map(toJob)
  }

  /** Whether the partial copy of this name belongs to an item of a stored job. */
  hasCopy(name: string): boolean {
    return this.#db.query('SELECT 1 FROM job_items WHERE copy_name = ?').get(name) !== null
  }

  /** The number of unfinished jobs: of one user, and of all. */
  countUnfinished(root: string, userId: number): { ofUser: number; all: number } {
    const row = this.#db
      .query<{ own: number | null; total: number }, [number, string]>(
        `SELECT sum(user_id = ?) AS own, count(*) AS total FROM jobs WHERE root = ? AND ${UNFINISHED}`,
      )
      .get(userId, root)
    return { ofUser: row?.own ?? 0, all: row?.total ?? 0 }
  }

  setState(id: number, state: JobState, { fault, reason } = NO_FAILURE, endedMs = 0): void {
    this.#db
      .query(
        `UPDATE jobs SET state = $state, fault = $fault, reason = $reason, ended_ms = $endedMs
         WHERE id = $id`,
      )
      .run({ id, state, fault, reason, endedMs })
  }

  /** Gives a job to another process. False if it does not belong to the process `from` any more. */
  setWriter(id: number, writer: string, from?: string): boolean {
    const sql = 'UPDATE jobs SET writer = ?2 WHERE id = ?1 AND writer = ifnull(?3, writer)'
    return this.#db.query(sql).run(id, writer, from ?? null).changes > 0
  }

  remove(id: number): void {
    this.#db.query('DELETE FROM jobs WHERE id = ?').run(id)
  }

  /** Deletes jobs that ended before a time, and the oldest of each user beyond a number; never unfinished ones. */
  deleteOld(root: string, endedBeforeMs: number, countMax: number): void {
    this.#db
      .query(`DELETE FROM jobs WHERE root = ? AND NOT ${UNFINISHED} AND ended_ms BETWEEN 1 AND ?`)
      .run(root, endedBeforeMs)
    this.#db
      .query(
        `DELETE FROM jobs WHERE root = ?1 AND NOT ${UNFINISHED} AND ended_ms > 0 AND id IN
           (SELECT id FROM
              (SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS position
               FROM jobs WHERE root = ?1)
            WHERE position > ?2)`,
      )
      .run(root, countMax)
  }

  /** The items of a job in order. */
  items(job: number, limit = -1, after = 0): StoredItem[] {
    return this.#db
      .query<ItemRow, [number, number, number]>(
        'SELECT * FROM job_items WHERE job = ? AND id > ? ORDER BY id LIMIT ?',
      )
      .all(job, after, limit)
      .map(toItem)
  }

  /** The first failed items of a job, in order. */
  listFirstFailed(job: number, limit: number): StoredItem[] {
    return this.#db
      .query<ItemRow, [number, number]>(
        "SELECT * FROM job_items WHERE job = ? AND state = 'failed' ORDER BY id LIMIT ?",
      )
      .all(job, limit)
      .map(toItem)
  }

  /** The next item to do; one that was started comes first. */
  nextItem(job: number): StoredItem | undefined {
    const row = this.#db
      .query<ItemRow, [number]>(
        `SELECT * FROM job_items WHERE job = ? AND state IN ('running', 'waiting')
         ORDER BY state = 'waiting', id LIMIT 1`,
      )
      .get(job)
    return row ? toItem(row) : undefined
  }

  /** Writes the fields of an item that change, without a flush: after a power failure the journal has its state. */
  saveItem(item: StoredItem): void {
    const { id, state, entry, fault, reason, failedPath, decision } = item
    const known = { id, state, entry, fault, reason, failedPath, decision }
    const { mergesFolders, sourceVersion: version, resultPath: landed } = item
    const values = { ...known, merges: mergesFolders ? 1 : 0, version, landed }
    this.#commits.writeNow(() => {
      this.#db
        .query(
          `UPDATE job_items SET state = $state, merges = $merges, source_version = $version,
             landed = $landed, entry = $entry, fault = $fault, reason = $reason,
             failed_path = $failedPath, decision = $decision
           WHERE id = $id`,
        )
        .run(values)
    })
  }

  /** Copies the state of an item to the other items of its job, except skipped ones and failed parts. */
  saveOtherItems({ job, id, state, fault, reason, failedPath }: StoredItem): void {
    this.#db
      .query(
        `UPDATE job_items SET state = $state, fault = $fault, reason = $reason,
           failed_path = $failedPath
         WHERE job = $job AND id <> $id AND part = '' AND state <> 'skipped'`,
      )
      .run({ job, id, state, fault, reason, failedPath })
  }

  /** Whether every item of a job has failed. */
  allFailed(job: number): boolean {
    return !this.#db.query("SELECT 1 FROM job_items WHERE job = ? AND state <> 'failed'").get(job)
  }

  /** Replaces the items for the failed parts of the item `whole`. */
  replaceParts(whole: StoredItem, parts: readonly NewItem[]): void {
    this.#db
      .transaction(() => {
        this.#db
          .query("DELETE FROM job_items WHERE job = ? AND path = ? AND part <> ''")
          .run(whole.job, whole.path)
        for (const part of parts) this.#insertItem(whole.job, part)
      })
      .immediate()
  }

  /** The journal entries of a job's items, in order. */
  entries(job: number, limit: number): number[] {
    return this.#db
      .query<{ id: number }, [number, number]>(
        `SELECT id FROM journal WHERE is_done = 1 AND job_item <> 0
           AND job_item IN (SELECT id FROM job_items WHERE job = ?) ORDER BY id LIMIT ?`,
      )
      .all(job, limit)
      .map(({ id }) => id)
  }

  /** The real paths that an item has created and that were not undone. */
  createdBy(item: number): TreePath[] {
    return (
      this.#db
        .query<{ path: string }, [number]>(
          `SELECT s.path FROM journal_steps s JOIN journal j ON j.id = s.entry
         WHERE j.job_item = ? AND j.job_item <> 0 AND j.is_done = 1 AND j.undone_by = 0
           AND s.kind IN ('made', 'replaced')`,
        )
        .all(item)
        // Written only from this type.
        .map(({ path }) => path as TreePath)
    )
  }

  sums(job: number): ItemSums {
    const row = this.#db
      .query<ItemSums, [number]>(
        `SELECT total(part = '') AS items,
           total(state = 'failed') AS failed,
           total(files * (state <> 'skipped')) AS files,
           total(bytes * (state <> 'skipped')) AS bytes,
           total(files * (state = 'done')) AS filesDone,
           total(bytes * (state = 'done')) AS bytesDone
         FROM job_items WHERE job = ?`,
      )
      .get(job)
    return row ?? { items: 0, failed: 0, files: 0, bytes: 0, filesDone: 0, bytesDone: 0 }
  }

  #insertItem(job: number, item: NewItem): void {
    const { path, part, to, decision, copyName, state, fault, reason, files, bytes } = item
    const columns = { job, path, part, decision, state, fault, reason, files, bytes }
    insertRow(this.#db, 'job_items', { ...columns, target: to, copy_name: copyName })
  }
}
