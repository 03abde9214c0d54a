/** App passwords: rows ↔ StoredAppPassword. Only a digest of the secret is stored. */

import type { TreePath } from '#wire/paths.ts'
import { PERMISSIONS, type Permission, type Permissions, permissionsOf } from '#wire/permissions.ts'
import type { Database } from '../database.ts'
import { insertNumbered } from '../insert-row.ts'

export interface StoredAppPassword {
  id: number
  userId: number
  name: string
  /** The program that it is for, as the user has named it; may be empty. */
  application: string
  secretHash: string
  /** The most that it allows; never `admin` or `execute`. */
  permissions: Permissions
  /** The folder that it is limited to, as the user sees it. */
  folder: TreePath
  /** Identifies that folder (`objectOf`), so that no other one with its name takes its place; empty for the root. */
  target: string
  createdMs: number
  /** 0: it does not end. */
  expiresMs: number
  isPaused: boolean
  /** The last use; 0 and empty if there was none. */
  usedMs: number
  address: string
  agent: string
}

interface Row {
  id: number
  user_id: number
  name: string
  application: string
  secret_hash: string
  permissions: string
  folder: string
  target: string
  created_ms: number
  expires_ms: number
  is_paused: number
  used_ms: number
  address: string
  agent: string
}

export class AppPasswordRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  /** Increases with each change by this process. */
  get writes(): number {
    return this.#db.writesTo('app_passwords')
  }

  /** @returns the id */
  insert(created: Omit<StoredAppPassword, 'id' | 'usedMs' | 'address' | 'agent'>): Promise<number> {
    return insertNumbered(this.#db, 'app_passwords', {
      user_id: created.userId,
      name: created.name,
      application: created.application,
      secret_hash: created.secretHash,
      permissions: namesOf(created.permissions),
      folder: created.folder,
      target: created.target,
      created_ms: created.createdMs,
      expires_ms: created.expiresMs,
      is_paused: created.isPaused,
    })
  }

  async find(id: number): Promise<StoredAppPassword | undefined> {
    const query = 'SELECT * FROM app_passwords WHERE id = ?'
    return toStored(await this.#db.query<Row, [number]>(query).get(id))
  }

  async findByHash(secretHash: string): Promise<StoredAppPassword | undefined> {
    const query = 'SELECT * FROM app_passwords WHERE secret_hash = ?'
    return toStored(await this.#db.query<Row, [string]>(query).get(secretHash))
  }

  /**
   * @param userId undefined for all users
   * @returns the newest first
   */
  async list(userId: number | undefined): Promise<StoredAppPassword[]> {
    const condition = userId === undefined ? '' : 'WHERE user_id = ?'
    return (
      await this.#db
        .query<Row, number[]>(`SELECT * FROM app_passwords ${condition} ORDER BY id DESC`)
        .all(...(userId === undefined ? [] : [userId]))
    ).flatMap((row) => toStored(row) ?? [])
  }

  async count(userId: number): Promise<number> {
    const query = 'SELECT count(*) AS count FROM app_passwords WHERE user_id = ?'
    return (await this.#db.query<{ count: number }, [number]>(query).get(userId))?.count ?? 0
  }

  async setPaused(id: number, isPaused: boolean): Promise<void> {
    await this.#db
      .query('UPDATE app_passwords SET is_paused = ? WHERE id = ?')
      .run(isPaused ? 1 : 0, id)
  }

  /** Stores when, from which address and with which program it was last used. */
  async touch(
    id: number,
    usedMs: number,
    { address, agent }: { address: string; agent: string },
  ): Promise<void> {
    const query = this.#db.query(
      'UPDATE app_passwords SET used_ms = $usedMs, address = $address, agent = $agent WHERE id = $id',
    )
    await this.#db.lazily(() => query.run({ id, usedMs, address, agent }))
  }

  async remove(id: number): Promise<void> {
    await this.#db.query('DELETE FROM app_passwords WHERE id = ?').run(id)
  }

  /** @returns how many there were */
  async removeByUser(userId: number): Promise<number> {
    return (await this.#db.query('DELETE FROM app_passwords WHERE user_id = ?').run(userId)).changes
  }
}

function namesOf(permissions: Permissions): string {
  return PERMISSIONS.filter((name) => permissions[name]).join(' ')
}

function toStored(row: Row | null): StoredAppPassword | undefined {
  if (!row) return undefined
  const granted = row.permissions.split(' ').filter(isPermission)
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    application: row.application,
    secretHash: row.secret_hash,
    permissions: permissionsOf(...granted),
    folder: row.folder as TreePath,
    target: row.target,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    isPaused: row.is_paused === 1,
    usedMs: row.used_ms,
    address: row.address,
    agent: row.agent,
  }
}

function isPermission(name: string): name is Permission {
  return PERMISSIONS.some((known) => known === name)
}
