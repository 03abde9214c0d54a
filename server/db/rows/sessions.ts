/** Sessions: rows ↔ StoredSession. A token is valid only with its row. */
import type { Database } from 'bun:sqlite'
import { insertRow } from '../insert-row.ts'

export interface StoredSession {
  id: string
  userId: number
  createdMs: number
  seenMs: number
  expiresMs: number
  address: string
  agent: string
  /** Whether the client stores the token in a cookie of its own besides the server's. */
  hasOwnCookie: boolean
  /** When the user last gave the password and the second factor; 0: not in this session. */
  verifiedMs: number
}

interface Row {
  id: string
  user_id: number
  created_ms: number
  seen_ms: number
  expires_ms: number
  address: string
  agent: string
  own_cookie: number
  verified_ms: number
}

export class SessionRows {
  readonly #db: Database
  #writes = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Increases with each write through this object. */
  get writes(): number {
    return this.#writes
  }

  /** Stores a new session, and that its user has signed in. */
  insert(session: StoredSession): void {
    this.#writes += 1
    insertRow(this.#db, 'sessions', {
      id: session.id,
      user_id: session.userId,
      created_ms: session.createdMs,
      seen_ms: session.seenMs,
      expires_ms: session.expiresMs,
      address: session.address,
      agent: session.agent,
      own_cookie: session.hasOwnCookie,
      verified_ms: session.verifiedMs,
    })
    this.#db
      .query('UPDATE users SET signed_in_ms = ? WHERE id = ?')
      .run(session.createdMs, session.userId)
  }

  find(id: string): StoredSession | undefined {
    const row = this.#db.query<Row, [string]>('SELECT * FROM sessions WHERE id = ?').get(id)
    return row ? toSession(row) : undefined
  }

  /**
   * @param userId undefined for all users
   * @returns the sessions that have not expired, the most recently used first
   */
  list(userId: number | undefined, nowMs: number): StoredSession[] {
    const condition = userId === undefined ? '' : 'user_id = ?2 AND'
    return this.#db
      .query<Row, number[]>(
        `SELECT * FROM sessions WHERE ${condition} expires_ms > ?1 ORDER BY seen_ms DESC`,
      )
      .all(...(userId === undefined ? [nowMs] : [nowMs, userId]))
      .map(toSession)
  }

  /** Sets the expiry of a session. */
  extend(id: string, expiresMs: number): void {
    this.#writes += 1
    this.#db.query('UPDATE sessions SET expires_ms = ? WHERE id = ?').run(expiresMs, id)
  }

  setOwnCookie(id: string): void {
    this.#writes += 1
    this.#db.query('UPDATE sessions SET own_cookie = 1 WHERE id = ?').run(id)
  }

  setVerified(id: string, verifiedMs: number): void {
    this.#writes += 1
    this.#db.query('UPDATE sessions SET verified_ms = ? WHERE id = ?').run(verifiedMs, id)
  }

  /** Stores when, and from which address, the session was last used. */
  touch(id: string, seenMs: number, address: string): void {
    this.#writes += 1
    this.#db
      .query('UPDATE sessions SET seen_ms = ?, address = ? WHERE id = ?')
      .run(seenMs, address, id)
  }

  remove(id: string): void {
    this.#writes += 1
    this.#db.query('DELETE FROM sessions WHERE id = ?').run(id)
  }

  removeByUser(userId: number): void {
    this.#writes += 1
    this.#db.query('DELETE FROM sessions WHERE user_id = ?').run(userId)
  }

  /** Deletes a user's sessions except the most recently used. */
  keepNewest(userId: number, count: number): void {
    this.#writes += 1
    this.#db
      .query(
        `DELETE FROM sessions WHERE id IN
           (SELECT id FROM sessions WHERE user_id = ? ORDER BY seen_ms DESC LIMIT -1 OFFSET ?)`,
      )
      .run(userId, count)
  }

  removeExpired(nowMs: number): void {
    this.#writes += 1
    this.#db.query('DELETE FROM sessions WHERE expires_ms <= ?').run(nowMs)
  }
}

function toSession(row: Row): StoredSession {
  return {
    id: row.id,
    userId: row.user_id,
    createdMs: row.created_ms,
    seenMs: row.seen_ms,
    expiresMs: row.expires_ms,
    address: row.address,
    agent: row.agent,
    hasOwnCookie: row.own_cookie === 1,
    verifiedMs: row.verified_ms,
  }
}
