/** Second factors: rows ↔ StoredSecondFactor, and the digests of recovery codes. */
import type { Database } from '../database.ts'

export interface StoredSecondFactor {
  userId: number
  /** Base 32; empty while only a draft exists. */
  secret: string
  /** When it was confirmed; 0: it is not in use. */
  sinceMs: number
  /** A secret that is not confirmed yet; empty if there is none. */
  draft: string
  draftMs: number
}

interface Row {
  user_id: number
  secret: string
  since_ms: number
  draft: string
  draft_ms: number
}

export class SecondFactorRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async find(userId: number): Promise<StoredSecondFactor | undefined> {
    const query = 'SELECT * FROM second_factors WHERE user_id = ?'
    const row = await this.#db.query<Row, [number]>(query).get(userId)
    return row ? toStored(row) : undefined
  }

  /** @returns those in use */
  async list(): Promise<StoredSecondFactor[]> {
    const query = 'SELECT * FROM second_factors WHERE since_ms > 0'
    return (await this.#db.query<Row, []>(query).all()).map(toStored)
  }

  async setDraft(userId: number, draft: string, draftMs: number): Promise<void> {
    await this.#db
      .query(
        `INSERT INTO second_factors (user_id, draft, draft_ms) VALUES (?1, ?2, ?3)
         ON CONFLICT (user_id) DO UPDATE SET draft = ?2, draft_ms = ?3`,
      )
      .run(userId, draft, draftMs)
  }

  /**
   * Puts a draft into use with new recovery codes, and uses a time step of it up.
   *
   * @returns false if another request has replaced or confirmed the draft
   */
  confirm(
    userId: number,
    draft: string,
    step: number,
    codeHashes: readonly string[],
  ): Promise<boolean> {
    return this.#db.transaction(async () => {
      const { changes } = await this.#db
        .query(
          `UPDATE second_factors SET secret = draft, draft = '', since_ms = $nowMs, last_step = $step
           WHERE user_id = $userId AND draft = $draft AND draft <> ''`,
        )
        .run({ userId, draft, step, nowMs: Date.now() })
      if (changes === 0) return false
      await this.#insertCodes(userId, codeHashes)
      return true
    })
  }

  /**
   * Uses a time step up, so that its code is accepted once (RFC 6238 section 5.2).
   *
   * @returns false if this step, or a later one, was used before
   */
  async claimStep(userId: number, step: number): Promise<boolean> {
    const query =
      'UPDATE second_factors SET last_step = ?1 WHERE user_id = ?2 AND since_ms > 0 AND last_step < ?1'
    return (await this.#db.query(query).run(step, userId)).changes === 1
  }

  /** @returns false if the user has no such code, or has used it */
  async claimCode(userId: number, codeHash: string): Promise<boolean> {
    const query = 'DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?'
    return (await this.#db.query(query).run(userId, codeHash)).changes === 1
  }

  async countCodes(userId: number): Promise<number> {
    const query = 'SELECT count(*) AS count FROM recovery_codes WHERE user_id = ?'
    return (await this.#db.query<{ count: number }, [number]>(query).get(userId))?.count ?? 0
  }

  async replaceCodes(userId: number, codeHashes: readonly string[]): Promise<void> {
    await this.#db.transaction(async () => this.#insertCodes(userId, codeHashes))
  }

  async #insertCodes(userId: number, codeHashes: readonly string[]): Promise<void> {
    await this.#db.query('DELETE FROM recovery_codes WHERE user_id = ?').run(userId)
    const insert = this.#db.query('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)')
    for (const codeHash of codeHashes) await insert.run(userId, codeHash)
  }

  /** Removes the secret and a draft; the recovery codes stay. */
  async remove(userId: number): Promise<void> {
    await this.#db.query('DELETE FROM second_factors WHERE user_id = ?').run(userId)
  }
}

function toStored(row: Row): StoredSecondFactor {
  return {
    userId: row.user_id,
    secret: row.secret,
    sinceMs: row.since_ms,
    draft: row.draft,
    draftMs: row.draft_ms,
  }
}
