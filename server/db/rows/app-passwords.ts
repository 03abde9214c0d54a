/** App passwords: rows ↔ StoredAppPassword. Only a digest of the secret is stored. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'
import { PERMISSIONS, type Permission, type Permissions, permissionsOf } from '#wire/permissions.ts'
import { insertRow } from '../insert-row.ts'

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
  #writes = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Increases with each write through this object. */
  get writes(): number {
    return this.#writes
  }

  /** @returns the id */
  insert(created: Omit<StoredAppPassword, 'id' | 'usedMs' | 'address' | 'agent'>): number {
    this.#writes += 1
    return insertRow(this.#db, 'app_passwords', {
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

  find(id: number): StoredAppPassword | undefined {
    const query = 'SELECT * FROM app_passwords WHERE id = ?'
    return toStored(this.#db.query<Row, [number]>(query).get(id))
  }

  findByHash(secretHash: string): StoredAppPassword | undefined {
    const query = 'SELECT * FROM app_passwords WHERE secret_hash = ?'
    return toStored(this.#db.query<Row, [string]>(query).get(secretHash))
  }

  /**
   * @param userId undefined for all users
   * @returns the newest first
   */
  list(userId: number | undefined): StoredAppPassword[] {
    const condition = userId === undefined ? '' : 'WHERE user_id = ?'
    return this.#db
      .query<Row, number[]>(`SELECT * FROM app_passwords ${condition} ORDER BY id DESC`)
      .all(...(userId === undefined ? [] : [userId]))
      .flatMap((row) => toStored(row) ?? [])
  }

  count(userId: number): number {
    const query = 'SELECT count(*) AS count FROM app_passwords WHERE user_id = ?'
    return this.#db.query<{ count: number }, [number]>(query).get(userId)?.count ?? 0
  }

  setPaused(id: number, isPaused: boolean): void {
    this.#writes += 1
    this.#db.query('UPDATE app_passwords SET is_paused = ? WHERE id = ?').run(isPaused ? 1 : 0, id)
  }

  /** Stores when, from which address and with which program it was last used. */
  touch(id: number, usedMs: number, { address, agent }: { address: string; agent: string }): void {
    this.#writes += 1
    this.#db
      .query(
        'UPDATE app_passwords SET used_ms = $usedMs, address = $address, agent = $agent WHERE id = $id',
      )
      .run({ id, usedMs, address, agent })
  }

  remove(id: number): void {
    this.#writes += 1
    this.#db.query('DELETE FROM app_passwords WHERE id = ?').run(id)
  }

  /** @returns how many there were */
  removeByUser(userId: number): number {
    this.#writes += 1
    return this.#db.query('DELETE FROM app_passwords WHERE user_id = ?').run(userId).changes
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
