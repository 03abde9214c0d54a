/** What people did: rows are added and read, never changed; only age takes them away. */
import type { Database } from 'bun:sqlite'
import type { AuditAction } from '#wire/audit.ts'

export interface StoredAct {
  id: number
  atMs: number
  userId: number
  username: string
  session: string
  address: string
  action: AuditAction
  path: string
  to: string
  whom: string
  bytes: number
  status: number
  share: string
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

interface Row {
  id: number
  at_ms: number
  user_id: number
  username: string
  session: string
  address: string
  action: string
  path: string
  target: string
  whom: string
  bytes: number
  status: number
  share: string
}

type Parameter = string | number

export class AuditRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Adds acts in one write. */
  insert(acts: readonly NewAct[]): void {
    const statement = this.#db.query(
      `INSERT INTO audit (at_ms, user_id, username, session, address, action, path, target, whom, bytes, status, share)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#db.transaction(() => {
      for (const act of acts) {
        const { atMs, userId, username, session, address } = act
        const { action, path, to, whom, bytes, status, share } = act
        statement.run(
          atMs,
          userId,
          username,
          session,
          address,
          action,
          path,
          to,
          whom,
          bytes,
          status,
          share,
        )
      }
    })()
  }

  /** The newest acts that fit, newest first. */
  find(filter: ActFilter, limit: number): StoredAct[] {
    const { where, values } = conditions(filter)
    return this.#db
      .query<Row, Parameter[]>(`SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`)
      .all(...values, limit)
      .map(toAct)
  }

  /** Removes what is older, and the oldest beyond so many. */
  forget(olderThanMs: number, keep: number): void {
    this.#db.query('DELETE FROM audit WHERE at_ms < ?').run(olderThanMs)
    this.#db
      .query(
        'DELETE FROM audit WHERE id <= (SELECT id FROM audit ORDER BY id DESC LIMIT 1 OFFSET ?)',
      )
      .run(keep)
  }
}

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
  }
}
