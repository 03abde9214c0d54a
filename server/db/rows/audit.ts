/** The audit log: records are added and read, never changed; they are deleted only by age, number and size. */

import type { AuditAction, AuditEntry } from '#wire/api/audit.ts'
import type { Database } from '../database.ts'
import { insertRows } from '../insert-row.ts'
import { fairShare } from './fair-share.ts'

/** A record as in the API, without the data from the journal. `entry` is 0 if there is no entry, or more than one. */
export interface StoredAuditRecord
  extends Omit<AuditEntry, 'time' | 'undoneBy' | 'sharePath' | 'app'> {
  atMs: number
  userId: number
}

export type NewAuditRecord = Omit<StoredAuditRecord, 'id'>

/** Conditions on records; absent ones match all. */
export interface AuditFilter {
  userId?: number | undefined
  username?: string | undefined
  action?: string | undefined
  /** Whether the response was a refusal or an error. */
  failed?: boolean | undefined
  /** A part of the path, or of the destination. */
  path?: string | undefined
  fromMs?: number | undefined
  untilMs?: number | undefined
  /** Only records that are listed after the one with this id: older ones, and of its moment those with a smaller id. */
  before?: number | undefined
}

interface Row extends Omit<StoredAuditRecord, 'atMs' | 'userId' | 'to' | 'action'> {
  at_ms: number
  user_id: number
  target: string
  action: string
}

type Parameter = string | number

export class AuditRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds records in one transaction, and flushes it. A flush that fails is not an error: the records are stored, a later
   * flush covers them, and a caller that tried again would add them twice.
   *
   * @throws an error of SQLite; then nothing is stored
   */
  async insert(records: readonly NewAuditRecord[]): Promise<void> {
    await this.#db.lazily(async () => {
      await insertRows(this.#db, 'audit', records.map(toRow))
    })
    await this.#db.withFiles(async () => undefined).catch(() => undefined)
  }

  /**
   * @param limit maximum number
   * @param maxBytes maximum total size; the first record is returned whatever its size
   * @returns the newest matching records, newest first: by their time, because an import or a restored copy adds older ones
   */
  async find(filter: AuditFilter, limit: number, maxBytes: number): Promise<StoredAuditRecord[]> {
    const { before } = filter
    const last = before === undefined ? undefined : await this.#timeOf(before)
    const { where, values } = conditions(filter, last)
    return (
      await this.#db
        .query<Row, Parameter[]>(
          `SELECT * FROM (SELECT *, sum(size) OVER (ORDER BY at_ms DESC, id DESC) AS total FROM
           (SELECT *, ${SIZE} AS size FROM audit ${where} ORDER BY at_ms DESC, id DESC LIMIT ?) AS newest) AS summed
         WHERE total <= ? OR total = size ORDER BY at_ms DESC, id DESC`,
        )
        .all(...values, limit, maxBytes)
    ).map(toRecord)
  }

  async #timeOf(id: number): Promise<number | undefined> {
    const query = 'SELECT at_ms AS ms FROM audit WHERE id = ?'
    return (await this.#db.query<{ ms: number }, [number]>(query).get(id))?.ms
  }

  /** The approximate size of all records. */
  async sizeBytes(): Promise<number> {
    const sum = this.#db.query<{ bytes: number | null }, []>(
      `SELECT sum(${SIZE}) AS bytes FROM audit`,
    )
    return (await sum.get())?.bytes ?? 0
  }

  /**
   * Deletes records that are too old, and those beyond the limit of number: of the user with the most, as `#remove`.
   *
   * @returns whether any were deleted
   */
  async forget(beforeMs: number, countMax: number): Promise<boolean> {
    const old = await this.#db.query('DELETE FROM audit WHERE at_ms < ?').run(beforeMs)
    const users = await this.#totals('count(*)')
    const share = fairShare(
      users.map(({ total }) => total),
      countMax,
    )
    const beyond = users.filter(({ total }) => total > share)
    for (const { userId, total } of beyond) await this.#remove(userId, total - share, '1')
    return old.changes > 0 || beyond.length > 0
  }

  /** Deletes records whose size is together at least `bytes`, as `forget`. */
  async removeOldest(bytes: number): Promise<void> {
    const users = await this.#totals(`sum(${SIZE})`)
    const all = users.reduce((sum, { total }) => sum + total, 0)
    const share = fairShare(
      users.map(({ total }) => total),
      Math.max(0, all - bytes),
    )
    for (const { userId, total } of users) {
      if (total > share) await this.#remove(userId, total - share, SIZE)
    }
  }

  /** @returns a total of the records of each user; visitors and the command line have the number 0 */
  #totals(of: string): Promise<{ userId: number; total: number }[]> {
    return this.#db
      .query<{ userId: number; total: number }, []>(
        `SELECT user_id AS "userId", ${of} AS total FROM audit GROUP BY user_id`,
      )
      .all()
  }

  /** Deletes records of a user: first the oldest uploads, of which there may be many, then the oldest others. */
  async #remove(userId: number, amount: number, of: string): Promise<void> {
    await this.#db
      .query(
        `DELETE FROM audit WHERE id IN (SELECT id FROM
           (SELECT id, sum(${of}) OVER (ORDER BY action <> 'upload', id) - ${of} AS before
            FROM audit WHERE user_id = ?) AS ordered
         WHERE before < ?)`,
      )
      .run(userId, amount)
  }
}

/** SQL for the approximate size of a record: the length of its texts, and 100 bytes for the rest. */
const SIZE = `(100 + ${[
  'username',
  'session',
  'address',
  'action',
  'path',
  'target',
  'whom',
  'share',
  'fault',
]
  .map((column) => `octet_length(${column})`)
  .join(' + ')})`

/** The lowest status of a refusal. */
const FAILED_FROM = 400

/** @param beforeMs the time of the record `before`; undefined if it has been deleted, as older ones have then */
function conditions(
  filter: AuditFilter,
  beforeMs: number | undefined,
): { where: string; values: Parameter[] } {
  const parts: string[] = []
  const values: Parameter[] = []
  const add = (part: string, value: Parameter | undefined) => {
    if (value === undefined) return
    parts.push(part)
    values.push(value)
  }
  add('user_id = ?', filter.userId)
  add('username = ?', filter.username)
  add('action = ?', filter.action)
  if (filter.failed !== undefined) add(filter.failed ? 'status >= ?' : 'status < ?', FAILED_FROM)
  add(`instr(path || '\n' || target, ?) > 0`, filter.path)
  add('at_ms >= ?', filter.fromMs)
  add('at_ms < ?', filter.untilMs)
  if (beforeMs === undefined) add('id < ?', filter.before)
  else if (filter.before !== undefined) {
    parts.push('(at_ms, id) < (?, ?)')
    values.push(beforeMs, filter.before)
  }
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values }
}

function toRow(record: NewAuditRecord): Omit<Row, 'id'> {
  return {
    at_ms: record.atMs,
    user_id: record.userId,
    username: record.username,
    session: record.session,
    address: record.address,
    action: record.action,
    path: record.path,
    target: record.to,
    whom: record.whom,
    bytes: record.bytes,
    status: record.status,
    share: record.share,
    times: record.times,
    entry: record.entry,
    fault: record.fault,
  }
}

function toRecord(row: Row): StoredAuditRecord {
  return {
    id: row.id,
    atMs: row.at_ms,
    userId: row.user_id,
    username: row.username,
    session: row.session,
    address: row.address,
    // Written only by `insert`.
    action: row.action as AuditAction,
    path: row.path,
    to: row.target,
    whom: row.whom,
    bytes: row.bytes,
    status: row.status,
    share: row.share,
    times: row.times,
    entry: row.entry,
    fault: row.fault,
  }
}
