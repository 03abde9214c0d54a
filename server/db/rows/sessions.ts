/** Sessions: rows ↔ StoredSession. A token is valid only with its row. */
import { type Database, UNLIMITED } from '../database.ts'
import { putRow } from '../insert-row.ts'

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

  constructor(db: Database) {
    this.#db = db
  }

  /** Increases with each change by this process. */
  get writes(): number {
    return this.#db.writesTo('sessions')
  }

  /** Stores a new session, and that its user has signed in. It may be stored again if it could not be flushed. */
  async insert(session: StoredSession): Promise<void> {
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
    await putRow(this.#db, 'sessions', row, 'id')
    await this.#db
      .query('UPDATE users SET signed_in_ms = ? WHERE id = ?')
      .run(session.createdMs, session.userId)
  }

  async find(id: string): Promise<StoredSession | undefined> {
    const row = await this.#db.query<Row, [string]>('SELECT * FROM sessions WHERE id = ?').get(id)
    return row ? toSession(row) : undefined
  }

  /**
   * @param userId undefined for all users
   * @returns the sessions that have not expired, the most recently used first
   */
  async list(userId: number | undefined, nowMs: number): Promise<StoredSession[]> {
    const condition = userId === undefined ? '' : 'user_id = ?2 AND'
    return (
      await this.#db
        .query<Row, number[]>(
          `SELECT * FROM sessions WHERE ${condition} expires_ms > ?1 ORDER BY seen_ms DESC`,
        )
        .all(...(userId === undefined ? [nowMs] : [nowMs, userId]))
    ).map(toSession)
  }

  /** Sets the expiry of a session. */
  async extend(id: string, expiresMs: number): Promise<void> {
    await this.#db.query('UPDATE sessions SET expires_ms = ? WHERE id = ?').run(expiresMs, id)
  }

  async setOwnCookie(id: string): Promise<void> {
    const query = this.#db.query('UPDATE sessions SET own_cookie = 1 WHERE id = ?')
    await this.#db.lazily(() => query.run(id))
  }

  async setVerified(id: string, verifiedMs: number): Promise<void> {
    await this.#db.query('UPDATE sessions SET verified_ms = ? WHERE id = ?').run(verifiedMs, id)
  }

  /** Stores when, and from which address, the session was last used. */
  async touch(id: string, seenMs: number, address: string): Promise<void> {
    const query = this.#db.query('UPDATE sessions SET seen_ms = ?, address = ? WHERE id = ?')
    await this.#db.lazily(() => query.run(seenMs, address, id))
  }

  async remove(id: string): Promise<void> {
    await this.#db.query('DELETE FROM sessions WHERE id = ?').run(id)
  }

  async removeByUser(userId: number): Promise<void> {
    await this.#db.query('DELETE FROM sessions WHERE user_id = ?').run(userId)
  }

  /**
   * Ends the sessions that were opened with an identity.
   *
   * @param providerSid only those of this session at the provider, and those that name none; empty for all
   * @returns how many have ended
   */
  async removeByIdentity(identityId: number, providerSid: string): Promise<number> {
    return (
      await this.#db
        .query(
          `DELETE FROM sessions WHERE identity_id = ?1 AND identity_id <> 0
           AND (?2 = '' OR provider_sid IN (?2, ''))`,
        )
        .run(identityId, providerSid)
    ).changes
  }

  /**
   * Ends the sessions that were opened with identities of an issuer, with or without a slash at its end.
   *
   * @returns how many have ended
   */
  async removeByIssuer(issuer: string): Promise<number> {
    return (
      await this.#db
        .query(
          `DELETE FROM sessions WHERE identity_id IN
           (SELECT id FROM identities WHERE rtrim(issuer, '/') = rtrim(?, '/'))`,
        )
        .run(issuer)
    ).changes
  }

  /** @returns the identities whose sessions belong to a session at the provider */
  async identitiesOf(providerSid: string): Promise<number[]> {
    return (
      await this.#db
        .query<{ identity_id: number }, [string]>(
          "SELECT DISTINCT identity_id FROM sessions WHERE provider_sid = ?1 AND provider_sid <> ''",
        )
        .all(providerSid)
    ).map((row) => row.identity_id)
  }

  /** Deletes a user's sessions except the most recently used. */
  async keepNewest(userId: number, count: number): Promise<void> {
    await this.#db
      .query(
        `DELETE FROM sessions WHERE id IN
           (SELECT id FROM sessions WHERE user_id = ? ORDER BY seen_ms DESC LIMIT ${UNLIMITED} OFFSET ?)`,
      )
      .run(userId, count)
  }

  async removeExpired(nowMs: number): Promise<void> {
    await this.#db.query('DELETE FROM sessions WHERE expires_ms <= ?').run(nowMs)
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
