/** Directories (LDAP): rows ↔ StoredDirectory. */

import type { DirectoryOptions } from '#wire/api/directory.ts'
import type { Database } from '../database.ts'
import { putRow } from '../insert-row.ts'

export interface StoredDirectory {
  id: string
  label: string
  /** Empty if anyone may search. */
  bindPassword: string
  options: DirectoryOptions
  isEnabled: boolean
}

interface Row {
  id: string
  label: string
  bind_password: string
  options: string
  is_enabled: number
}

export class DirectoryRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  async list(): Promise<StoredDirectory[]> {
    return (
      await this.#db.query<Row, []>('SELECT * FROM directories ORDER BY label, id').all()
    ).map(toDirectory)
  }

  async find(id: string): Promise<StoredDirectory | undefined> {
    const row = await this.#db
      .query<Row, [string]>('SELECT * FROM directories WHERE id = ?')
      .get(id)
    return row ? toDirectory(row) : undefined
  }

  /** Adds a directory, or replaces the one with the same id. */
  async put(directory: StoredDirectory): Promise<void> {
    const row = {
      id: directory.id,
      label: directory.label,
      bind_password: directory.bindPassword,
      options: JSON.stringify(directory.options),
      is_enabled: directory.isEnabled,
    }
    await putRow(this.#db, 'directories', row, 'id')
  }

  /** @returns whether there was one */
  async remove(id: string): Promise<boolean> {
    return (await this.#db.query('DELETE FROM directories WHERE id = ?').run(id)).changes > 0
  }
}

function toDirectory(row: Row): StoredDirectory {
  return {
    id: row.id,
    label: row.label,
    bindPassword: row.bind_password,
    // Written only by `put`.
    options: JSON.parse(row.options) as DirectoryOptions,
    isEnabled: row.is_enabled === 1,
  }
}
