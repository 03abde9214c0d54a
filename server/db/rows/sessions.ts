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
  /** Undefined if it was opened with another method. */
  identity?: SessionIdentity | undefined
}

/** The account at a provider with which a session was opened. */
export interface SessionIdentity {
  id: number
  /** The id of the session at the provider; empty if the provider has sent none. */
  providerSid: string
  /** The ID token, for the log-out at the provider. */
  idToken: string
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
  identity_id: number
  provider_sid: string
  id_token: string
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

  /** Stores a new session, and that its user has signed in. It may be stored again if it could not be flushed. */
  insert(session: StoredSession): void {
    this.#writes += 1
    const row = {
      id: session.id,
      user_id: session.userId,
      created_ms: session.createdMs,
      seen_ms: session.seenMs,
      expires_ms: session.expiresMs,
      address: session.address,
      agent: session.agent,
      own_cookie: session.hasOwnCookie,
      verified_ms: session.verifiedMs,
      identity_id: session.identity?.id ?? 0,
      provider_sid: session.identity?.providerSid ?? '',
      id_token: session.identity?.idToken ?? '',
    }
    insertRow(this.#db, 'sessions', row, 'INSERT OR REPLACE')
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

  /**
   * Ends the sessions that were opened with an identity.
   *
   * @param providerSid only those of this session at the provider, and those that name none; empty for all
   * @returns how many have ended
   */
  removeByIdentity(identityId: number, providerSid: string): number {
    this.#writes += 1
    return this.#db
      .query(
        `DELETE FROM sessions WHERE identity_id = ?1 AND identity_id <> 0
           AND (?2 = '' OR provider_sid IN (?2, ''))`,
      )
      .run(identityId, providerSid).changes
  }

  /**
   * Ends the sessions that were opened with identities of an issuer, with or without a slash at its end.
   *
   * @returns how many have ended
   */
  removeByIssuer(issuer: string): number {
    this.#writes += 1
    return this.#db
      .query(
        `DELETE FROM sessions WHERE identity_id IN
           (SELECT id FROM identities WHERE rtrim(issuer, '/') = rtrim(?, '/'))`,
      )
      .run(issuer).changes
  }

  /** @returns the identities whose sessions belong to a session at the provider */
  identitiesOf(providerSid: string): number[] {
    return this.#db
      .query<{ identity_id: number }, [string]>(
        "SELECT DISTINCT identity_id FROM sessions WHERE provider_sid = ?1 AND provider_sid <> ''",
      )
      .all(providerSid)
      .map((row) => row.identity_id)
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
    identity:
      row.identity_id === 0
        ? undefined
        : { id: row.identity_id, providerSid: row.provider_sid, idToken: row.id_token },
  }
}
