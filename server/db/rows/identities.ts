/** Identities: accounts at a provider, by issuer and subject, and the users who sign in with them. */
import type { Database } from 'bun:sqlite'
import { insertRow } from '../insert-row.ts'

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

  find(issuer: string, subject: string): StoredIdentity | undefined {
    const row = this.#db
      .query<Row, [string, string]>('SELECT * FROM identities WHERE issuer = ? AND subject = ?')
      .get(issuer, subject)
    return row ? toIdentity(row) : undefined
  }

  findById(id: number): StoredIdentity | undefined {
    const row = this.#db.query<Row, [number]>('SELECT * FROM identities WHERE id = ?').get(id)
    return row ? toIdentity(row) : undefined
  }

  listOf(userId: number): StoredIdentity[] {
    return this.#db
      .query<Row, [number]>('SELECT * FROM identities WHERE user_id = ? ORDER BY id')
      .all(userId)
      .map(toIdentity)
  }

  /** Links an identity with a user; one whose user was deleted is linked again. @returns its id */
  link(identity: Omit<StoredIdentity, 'id' | 'usedMs' | 'groups'>): number {
    this.#db
      .query('DELETE FROM identities WHERE issuer = ? AND subject = ? AND user_id IS NULL')
      .run(identity.issuer, identity.subject)
    return insertRow(this.#db, 'identities', {
      user_id: identity.userId,
      issuer: identity.issuer,
      subject: identity.subject,
      label: identity.label,
      linked_ms: identity.linkedMs,
    })
  }

  /** Stores a sign-in, and the groups that the provider has sent; undefined keeps those of before. */
  setUsed(id: number, label: string, groups: readonly string[] | undefined): void {
    this.#db
      .query(
        `UPDATE identities SET used_ms = $nowMs, label = $label, groups = coalesce($groups, groups)
         WHERE id = $id`,
      )
      .run({ id, label, nowMs: Date.now(), groups: groups ? JSON.stringify(groups) : null })
  }

  remove(id: number): void {
    this.#db.query('DELETE FROM identities WHERE id = ?').run(id)
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
