/** What people did: rows are added and read, never changed; only age takes them away. */
import type { Database } from 'bun:sqlite'
import type { AuditAction, AuditEntry } from '#wire/audit.ts'
import { insertRow } from './insert-row.ts'

/** As it travels, but for what the journal adds; `entry` is 0 for several, too. */
export interface StoredAct extends Omit<AuditEntry, 'time' | 'undoneBy'> {
  atMs: number
  userId: number
}

export type NewAct = Omit<StoredAct, 'id'>

/** Which acts are wanted; what is left out does not matter. */
export interface ActFilter {
  userId?: number | undefined
  username?: string | undefined
  action?: string | undefined
  /** Somewhere in the path. */
  path?: string | undefined
  fromMs?: number | undefined
  untilMs?: number | undefined
  /** Older than the act of this number. */
  before?: number | undefined
}

interface Row extends Omit<StoredAct, 'atMs' | 'userId' | 'to' | 'action'> {
  at_ms: number
  user_id: number
  target: string
  action: string
}

type Parameter = string | number

export class AuditRows {
  readonly #db: Database
  readonly #write: (work: () => void) => void

  /** @param write writes rows in one transaction */
  constructor(db: Database, write = (work: () => void): void => db.transaction(work)()) {
    this.#db = db
    this.#write = write
  }

  /** Adds acts in one write. */
  insert(acts: readonly NewAct[]): void {
    this.#write(() => {
      for (const { atMs, userId, to, ...act } of acts) {
        insertRow(this.#db, 'audit', { ...act, at_ms: atMs, user_id: userId, target: to })
      }
    })
  }

  /**
   * The newest acts that fit, newest first.
   *
   * @param limit how many at most
   * @param maxBytes how large they may be together; the first is found whatever its size
   */
  find(filter: ActFilter, limit: number, maxBytes: number): StoredAct[] {
    const { where, values } = conditions(filter)
    const rows = this.#db
      .query<Row & { size: number }, Parameter[]>(
        `SELECT *, ${SIZE} AS size FROM audit ${where} ORDER BY id DESC LIMIT ?`,
      )
      .iterate(...values, limit)
    const found: StoredAct[] = []
    let bytes = 0
    for (const row of rows) {
      bytes += row.size
      if (bytes > maxBytes && found.length > 0) break
      found.push(toAct(row))
    }
    return found
  }

  /** How much room all acts take, roughly. */
  sizeBytes(): number {
    const sum = this.#db.query<{ bytes: number | null }, []>(
      `SELECT sum(${SIZE}) AS bytes FROM audit`,
    )
    return sum.get()?.bytes ?? 0
  }

  /**
   * Removes what is older, the oldest beyond so many, and of the rest the oldest that take so much room.
   *
   * @returns whether anything was removed
   */
  forget(olderThanMs: number, keep: number, bytes: number): boolean {
    const old = this.#db.query('DELETE FROM audit WHERE at_ms < ?').run(olderThanMs)
    const more = this.#db
      .query(
        'DELETE FROM audit WHERE id <= (SELECT id FROM audit ORDER BY id DESC LIMIT 1 OFFSET ?)',
      )
      .run(keep)
    const large = bytes > 0 ? this.#removeOldest(bytes) : 0
    return old.changes + more.changes + large > 0
  }

  /** @returns how many */
  #removeOldest(bytes: number): number {
    const oldest = this.#db
      .query<{ id: number; size: number }, []>(`SELECT id, ${SIZE} AS size FROM audit ORDER BY id`)
      .iterate()
    let last = 0
    let space = 0
    for (const { id, size } of oldest) {
      last = id
      space += size
      if (space >= bytes) break
    }
    return this.#db.query('DELETE FROM audit WHERE id <= ?').run(last).changes
  }
}

/** Texts, and what a row takes beside them. */
const SIZE = `(100 + ${[
  'username',
  'session',
  'address',
  'action',
  'path',
  'target',
  'whom',
  'share',
]
  .map((column) => `octet_length(${column})`)
  .join(' + ')})`

function conditions(filter: ActFilter): { where: string; values: Parameter[] } {
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
  add('instr(path, ?) > 0', filter.path)
  add('at_ms >= ?', filter.fromMs)
  add('at_ms < ?', filter.untilMs)
  add('id < ?', filter.before)
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values }
}

function toAct(row: Row): StoredAct {
  return {
    id: row.id,
    atMs: row.at_ms,
    userId: row.user_id,
    username: row.username,
    session: row.session,
    address: row.address,
    // Written by `insert` alone.
    action: row.action as AuditAction,
    path: row.path,
    to: row.target,
    whom: row.whom,
    bytes: row.bytes,
    status: row.status,
    share: row.share,
    times: row.times,
    entry: row.entry,
  }
}
