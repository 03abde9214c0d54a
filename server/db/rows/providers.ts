/** OpenID Connect providers: rows ↔ StoredProvider. */

import type { ProviderOptions } from '#wire/api/identity.ts'
import type { Database } from '../database.ts'
import { putRow } from '../insert-row.ts'

export interface StoredProvider {
  /** A part of its redirect address. */
  id: string
  /** What the button on the login page says. */
  label: string
  issuer: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  options: ProviderOptions
  isEnabled: boolean
}

interface Row {
  id: string
  label: string
  issuer: string
  client_id: string
  client_secret: string
  options: string
  is_enabled: number
}

export class ProviderRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  async list(): Promise<StoredProvider[]> {
    return (await this.#db.query<Row, []>('SELECT * FROM providers ORDER BY label, id').all()).map(
      toProvider,
    )
  }

  async find(id: string): Promise<StoredProvider | undefined> {
    const row = await this.#db.query<Row, [string]>('SELECT * FROM providers WHERE id = ?').get(id)
    return row ? toProvider(row) : undefined
  }

  /** Adds a provider, or replaces the one with the same id. */
  async put(provider: StoredProvider): Promise<void> {
    const row = {
      id: provider.id,
      label: provider.label,
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      options: JSON.stringify(provider.options),
      is_enabled: provider.isEnabled,
    }
    await putRow(this.#db, 'providers', row, 'id')
  }

  /** @returns whether there was one */
  async remove(id: string): Promise<boolean> {
    return (await this.#db.query('DELETE FROM providers WHERE id = ?').run(id)).changes > 0
  }
}

function toProvider(row: Row): StoredProvider {
  return {
    id: row.id,
    label: row.label,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: row.client_secret,
    // Written only by `put`.
    options: JSON.parse(row.options) as ProviderOptions,
    isEnabled: row.is_enabled === 1,
  }
}
