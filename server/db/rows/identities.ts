/** Identities: accounts at a provider, by issuer and subject, and the users who sign in with them. */
import type { Database } from '../database.ts'
import { insertNumbered } from '../insert-row.ts'

export interface StoredIdentity {
  id: number
  /** 0: the user was deleted. */
  userId: number
  issuer: string
  subject: string
  /** The name or address at the provider, for people: it identifies nothing. */
  label: string
  /** The groups that the provider last sent; undefined if it has never sent any. */
  groups: readonly string[] | undefined
  linkedMs: number
  /** When the user last signed in with it; 0 for never. */
  usedMs: number
}

interface Row {
  id: number
  user_id: number | null
  issuer: string
  subject: string
  label: string
  groups: string
  linked_ms: number
  used_ms: number
}

export class IdentityRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  async find(issuer: string, subject: string): Promise<StoredIdentity | undefined> {
    const row = await this.#db
      .query<Row, [string, string]>('SELECT * FROM identities WHERE issuer = ? AND subject = ?')
      .get(issuer, subject)
    return row ? toIdentity(row) : undefined
  }

  async findById(id: number): Promise<StoredIdentity | undefined> {
    const row = await this.#db.query<Row, [number]>('SELECT * FROM identities WHERE id = ?').get(id)
    return row ? toIdentity(row) : undefined
  }

  async listOf(userId: number): Promise<StoredIdentity[]> {
    return (
      await this.#db
        .query<Row, [number]>('SELECT * FROM identities WHERE user_id = ? ORDER BY id')
        .all(userId)
    ).map(toIdentity)
  }

  /** Links an identity with a user; one whose user was deleted is linked again. @returns its id */
  async link(identity: Omit<StoredIdentity, 'id' | 'usedMs' | 'groups'>): Promise<number> {
    await this.#db
      .query('DELETE FROM identities WHERE issuer = ? AND subject = ? AND user_id IS NULL')
      .run(identity.issuer, identity.subject)
    return insertNumbered(this.#db, 'identities', {
      user_id: identity.userId,
      issuer: identity.issuer,
      subject: identity.subject,
      label: identity.label,
      linked_ms: identity.linkedMs,
    })
  }

  /** Stores a sign-in, and the groups that the provider has sent; undefined keeps those of before. */
  async setUsed(id: number, label: string, groups: readonly string[] | undefined): Promise<void> {
    await this.#db
      .query(
        `UPDATE identities SET used_ms = $nowMs, label = $label, groups = coalesce($groups, groups)
         WHERE id = $id`,
      )
      .run({ id, label, nowMs: Date.now(), groups: groups ? JSON.stringify(groups) : null })
  }

  async remove(id: number): Promise<void> {
    await this.#db.query('DELETE FROM identities WHERE id = ?').run(id)
  }
}

function toIdentity(row: Row): StoredIdentity {
  return {
    id: row.id,
    userId: row.user_id ?? 0,
    issuer: row.issuer,
    subject: row.subject,
    label: row.label,
    groups: row.groups === '' ? undefined : (JSON.parse(row.groups) as string[]),
    linkedMs: row.linked_ms,
    usedMs: row.used_ms,
  }
}
