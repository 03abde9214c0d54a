/** Invitations, at most one for each user. Only a digest of the token is stored. */
import type { Database } from '../database.ts'
import { putRow } from '../insert-row.ts'

export interface StoredInvitation {
  userId: number
  tokenHash: string
  expiresMs: number
}

interface Row {
  user_id: number
  token_hash: string
  expires_ms: number
}

export class InvitationRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Replaces an earlier invitation of the same user. */
  async put({ userId, tokenHash, expiresMs }: StoredInvitation): Promise<void> {
    const row = { user_id: userId, token_hash: tokenHash, expires_ms: expiresMs }
    await putRow(this.#db, 'invitations', row, 'user_id')
  }

  async list(): Promise<StoredInvitation[]> {
    return (await this.#db.query<Row, []>('SELECT * FROM invitations ORDER BY user_id').all()).map(
      toInvitation,
    )
  }

  async findByHash(tokenHash: string): Promise<StoredInvitation | undefined> {
    const row = await this.#db
      .query<Row, [string]>('SELECT * FROM invitations WHERE token_hash = ?')
      .get(tokenHash)
    return row ? toInvitation(row) : undefined
  }

  /** @returns whether there was one */
  async remove(userId: number): Promise<boolean> {
    return (
      (await this.#db.query('DELETE FROM invitations WHERE user_id = ?').run(userId)).changes > 0
    )
  }

  async removeExpired(nowMs: number): Promise<void> {
    await this.#db.query('DELETE FROM invitations WHERE expires_ms <= ?').run(nowMs)
  }
}

function toInvitation(row: Row): StoredInvitation {
  return { userId: row.user_id, tokenHash: row.token_hash, expiresMs: row.expires_ms }
}
