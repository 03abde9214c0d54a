/** The audit log: records are added and read, never changed; they are deleted only by age, number and size. */
import type { Database } from 'bun:sqlite'
import type { AuditAction, AuditEntry } from '#wire/api/audit.ts'
import { rowInserter } from '../insert-row.ts'
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
  /** Only records with a smaller id, which are older. */
  before?: number | undefined
}

interface Row extends Omit<StoredAuditRecord, 'atMs' | 'userId' | 'to' | 'action'> {
  at_ms: number
  user_id: number
  target: string
  action: string
}

type Parameter = string | number

/** The columns of a new record. */
const COLUMNS = [
  'at_ms',
  'user_id',
  'username',
  'session',
  'address',
  'action',
  'path',
  'target',
  'whom',
  'bytes',
  'status',
  'share',
  'times',
  'entry',
  'fault',
] as const satisfies readonly (keyof Row)[]

export class AuditRows {
  readonly #db: Database
  readonly #write: (work: () => void) => void

  /** @param write runs work in one transaction */
  constructor(db: Database, write = (work: () => void): void => db.transaction(work)()) {
    this.#db = db
    this.#write = write
  }

  /** Adds records in one transaction. */
  insert(records: readonly NewAuditRecord[]): void {
    const insert = rowInserter(this.#db, 'audit', COLUMNS)
    this.#write(() => {
      for (const { atMs, userId, to, ...record } of records) {
        insert({ ...record, at_ms: atMs, user_id: userId, target: to })
      }
    })
  }

  /**
   * @param limit maximum number
   * @param maxBytes maximum total size; the first record is returned whatever its size
   * @returns the newest matching records, newest first
   */
  find(filter: AuditFilter, limit: number, maxBytes: number): StoredAuditRecord[] {
    const { where, values } = conditions(filter)
    const rows = this.#db
      .query<Row & { size: number }, Parameter[]>(
        `SELECT *, ${SIZE} AS size FROM audit ${where} ORDER BY id DESC LIMIT ?`,
      )
      .iterate(...values, limit)
    const records: StoredAuditRecord[] = []
    let bytes = 0
    for (const row of rows) {
      bytes += row.size
      if (bytes > maxBytes && records.length > 0) break
      records.push(toRecord(row))
    }
    return records
  }

  /** The approximate size of all records. */
  sizeBytes(): number {
    const sum = this.#db.query<{ bytes: number | null }, []>(
      `SELECT sum(${SIZE}) AS bytes FROM audit`,
    )
    return sum.get()?.bytes ?? 0
  }

  /**
   * Deletes records that are too old, and those beyond the limit of number: of the user with the most, as `#remove`.
   *
   * @returns whether any were deleted
   */
  forget(beforeMs: number, countMax: number): boolean {
    const old = this.#db.query('DELETE FROM audit WHERE at_ms < ?').run(beforeMs)
    const users = this.#totals('count(*)')
    const share = fairShare(
      users.map(({ total }) => total),
      countMax,
    )
    const beyond = users.filter(({ total }) => total > share)
    for (const { userId, total } of beyond) this.#remove(userId, total - share, () => 1)
    return old.changes > 0 || beyond.length > 0
  }

  /** Deletes records whose size is together at least `bytes`, as `forget`. */
  removeOldest(bytes: number): void {
    const users = this.#totals(`sum(${SIZE})`)
    const all = users.reduce((sum, { total }) => sum + total, 0)
    const share = fairShare(
      users.map(({ total }) => total),
      Math.max(0, all - bytes),
    )
    for (const { userId, total } of users) {
      if (total > share) this.#remove(userId, total - share, (size) => size)
    }
  }

  /** @returns a total of the records of each user; visitors and the command line have the number 0 */
  #totals(of: string): { userId: number; total: number }[] {
    return this.#db
      .query<{ userId: number; total: number }, []>(
        `SELECT user_id AS userId, ${of} AS total FROM audit GROUP BY user_id`,
      )
      .all()
  }

  /** Deletes records of a user: first the oldest uploads, of which there may be many, then the oldest others. */
  #remove(userId: number, amount: number, amountOf: (size: number) => number): void {
    const inOrder = this.#db
      .query<{ id: number; size: number }, [number]>(
        `SELECT id, ${SIZE} AS size FROM audit WHERE user_id = ? ORDER BY action <> 'upload', id`,
      )
      .iterate(userId)
    const ids: number[] = []
    let removed = 0
    for (const { id, size } of inOrder) {
      if (removed >= amount) break
      removed += amountOf(size)
      ids.push(id)
    }
    const removal = this.#db.query('DELETE FROM audit WHERE id = ?')
    this.#write(() => {
      for (const id of ids) removal.run(id)
    })
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

function conditions(filter: AuditFilter): { where: string; values: Parameter[] } {
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
  add('instr(path || char(10) || target, ?) > 0', filter.path)
  add('at_ms >= ?', filter.fromMs)
  add('at_ms < ?', filter.untilMs)
  add('id < ?', filter.before)
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values }
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
