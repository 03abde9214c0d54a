/** Passkeys: rows ↔ StoredPasskey, and the challenges that were used. */
import type { Database } from '../database.ts'

export interface StoredPasskey {
  /** The credential id, in base64url. */
  id: string
  userId: number
  /** What authenticators know the user by, in base64url; the same for all passkeys of a user. */
  handle: string
  /** As a COSE key. */
  publicKey: Uint8Array<ArrayBuffer>
  /** How often it was used, as its authenticator counts; always 0 for synced ones. */
  counter: number
  /** The host that it belongs to. */
  rpId: string
  transports: string[]
  /** Whether it is on more than one device. */
  isSynced: boolean
  name: string
  createdMs: number
  /** The last use; 0 if there was none. */
  usedMs: number
}

interface Row {
  id: string
  user_id: number
  handle: string
  public_key: Uint8Array<ArrayBuffer>
  counter: number
  rp_id: string
  transports: string
  is_synced: number
  name: string
  created_ms: number
  used_ms: number
}

export class PasskeyRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  async find(id: string): Promise<StoredPasskey | undefined> {
    const row = await this.#db.query<Row, [string]>('SELECT * FROM passkeys WHERE id = ?').get(id)
    return row ? toStored(row) : undefined
  }

  /** @returns those of one user, or of all; the oldest first */
  async list(userId?: number): Promise<StoredPasskey[]> {
    const condition = userId === undefined ? '' : 'WHERE user_id = ?'
    return (
      await this.#db
        .query<Row, number[]>(`SELECT * FROM passkeys ${condition} ORDER BY created_ms, id`)
        .all(...(userId === undefined ? [] : [userId]))
    ).map(toStored)
  }

  /** Whether any user has one for a host. */
  async hasAny(rpId: string): Promise<boolean> {
    return (
      (await this.#db.query('SELECT 1 FROM passkeys WHERE rp_id = ? LIMIT 1').get(rpId)) !== null
    )
  }

  async count(userId: number): Promise<number> {
    const query = 'SELECT count(*) AS count FROM passkeys WHERE user_id = ?'
    return (await this.#db.query<{ count: number }, [number]>(query).get(userId))?.count ?? 0
  }

  /** @returns false if there is one with this id, perhaps of another user */
  async insert(passkey: StoredPasskey): Promise<boolean> {
    const { changes } = await this.#db
      .query(
        `INSERT INTO passkeys
           (id, user_id, handle, public_key, counter, rp_id, transports, is_synced, name, created_ms, used_ms)
         VALUES ($id, $userId, $handle, $publicKey, $counter, $rpId, $transports, $isSynced, $name, $createdMs, $usedMs)
         ON CONFLICT DO NOTHING`,
      )
      .run({ ...passkey, transports: passkey.transports.join(' ') })
    return changes === 1
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#db.query('UPDATE passkeys SET name = ? WHERE id = ?').run(name, id)
  }

  /**
   * Notes a use.
   *
   * @param counter as the authenticator has counted; 0 if it does not count
   * @returns false if the counter did not increase, as with a copy of the passkey, or it was removed
   */
  async use(id: string, counter: number, isSynced: boolean): Promise<boolean> {
    const { changes } = await this.#db
      .query(
        `UPDATE passkeys SET counter = $counter, is_synced = $isSynced, used_ms = $nowMs
         WHERE id = $id AND (counter < $counter OR (counter = 0 AND $counter = 0))`,
      )
      .run({ id, counter, isSynced, nowMs: Date.now() })
    return changes === 1
  }

  /** @returns whether there was such a passkey */
  async remove(id: string): Promise<boolean> {
    return (await this.#db.query('DELETE FROM passkeys WHERE id = ?').run(id)).changes === 1
  }

  /** @returns how many were removed */
  async removeAll(userId: number): Promise<number> {
    return (await this.#db.query('DELETE FROM passkeys WHERE user_id = ?').run(userId)).changes
  }

  /**
   * Uses a challenge up.
   *
   * @param expiresMs when it ends by itself, in milliseconds since 1970
   * @returns false if it was used before
   */
  async claimChallenge(id: string, expiresMs: number): Promise<boolean> {
    await this.#db.query('DELETE FROM used_challenges WHERE expires_ms < ?').run(Date.now())
    const query =
      'INSERT INTO used_challenges (id, expires_ms) VALUES (?, ?) ON CONFLICT DO NOTHING'
    return (await this.#db.query(query).run(id, expiresMs)).changes === 1
  }
}

function toStored(row: Row): StoredPasskey {
  return {
    id: row.id,
    userId: row.user_id,
    handle: row.handle,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    rpId: row.rp_id,
    transports: row.transports.split(' ').filter(Boolean),
    isSynced: row.is_synced === 1,
    name: row.name,
    createdMs: row.created_ms,
    usedMs: row.used_ms,
  }
}
