/** Sessions: rows ↔ StoredSession. A token without its row opens nothing. */
import type { Database } from 'bun:sqlite'

export interface StoredSession {
  id: string
  userId: number
  /** The id of the token that counts now. */
  token: string
  createdMs: number
  seenMs: number
  expiresMs: number
  address: string
  agent: string
}

interface Row {
  id: string
  user_id: number
  token: string
  created_ms: number
  seen_ms: number
  expires_ms: number
  address: string
  agent: string
}

export class SessionRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  insert(session: StoredSession): void {
    this.#db
      .query(
        `INSERT INTO sessions (id, user_id, token, created_ms, seen_ms, expires_ms, address, agent)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        session.id,
        session.userId,
        session.token,
        session.createdMs,
        session.seenMs,
        session.expiresMs,
        session.address,
        session.agent,
      )
  }

  /** The live session that `token` names: its token of now, or the one before within its grace. */
  findByToken(id: string, token: string, nowMs: number): StoredSession | undefined {
    const row = this.#db
      .query<Row, [string, number, string, string, number]>(
        `SELECT * FROM sessions WHERE id = ? AND expires_ms > ?
           AND (token = ? OR (previous_token = ? AND previous_until_ms > ?))`,
      )
      .get(id, nowMs, token, token, nowMs)
    return row ? toSession(row) : undefined
  }

  find(id: string): StoredSession | undefined {
    const row = this.#db.query<Row, [string]>('SELECT * FROM sessions WHERE id = ?').get(id)
    return row ? toSession(row) : undefined
  }

  /** All sessions, the one seen last first. */
  list(): StoredSession[] {
    return this.#db
      .query<Row, []>('SELECT * FROM sessions ORDER BY seen_ms DESC')
      .all()
      .map(toSession)
  }

  /** Gives a session its next token; the one before stays good until `graceUntilMs`. */
  replaceToken(id: string, token: string, expiresMs: number, graceUntilMs: number): void {
    this.#db
      .query(
        `UPDATE sessions SET previous_token = token, previous_until_ms = ?, token = ?, expires_ms = ?
         WHERE id = ?`,
      )
      .run(graceUntilMs, token, expiresMs, id)
  }

  touch(id: string, seenMs: number, address: string): void {
    this.#db
      .query('UPDATE sessions SET seen_ms = ?, address = ? WHERE id = ?')
      .run(seenMs, address, id)
  }

  remove(id: string): void {
    this.#db.query('DELETE FROM sessions WHERE id = ?').run(id)
  }

  removeByUser(userId: number): void {
    this.#db.query('DELETE FROM sessions WHERE user_id = ?').run(userId)
  }

  /** Leaves a user so many sessions: those seen last. */
  keepNewest(userId: number, count: number): void {
    this.#db
      .query(
        `DELETE FROM sessions WHERE id IN
           (SELECT id FROM sessions WHERE user_id = ? ORDER BY seen_ms DESC LIMIT -1 OFFSET ?)`,
      )
      .run(userId, count)
  }

  removeExpired(nowMs: number): void {
    this.#db.query('DELETE FROM sessions WHERE expires_ms <= ?').run(nowMs)
  }
}

function toSession(row: Row): StoredSession {
  return {
    id: row.id,
    userId: row.user_id,
    token: row.token,
    createdMs: row.created_ms,
    seenMs: row.seen_ms,
    expiresMs: row.expires_ms,
    address: row.address,
    agent: row.agent,
  }
}
