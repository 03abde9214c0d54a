/** Caches app passwords and their users until the database is written to: each request with one is checked. */
import type { AppPasswordRows, StoredAppPassword } from '#server/db/rows/app-passwords.ts'
import type { StoredUser, UserRows } from '#server/db/rows/users.ts'
import { joinPath, parsePath } from '#wire/paths.ts'
import { PERMISSIONS, type Permissions } from '#wire/permissions.ts'

/** Limit of the cache. */
const CACHED_MAX = 10_000

export interface KnownAppPassword {
  stored: StoredAppPassword
  /** The user with the rights that both have. */
  user: StoredUser
  /** As `user`, with the folder of the app password as the scope. */
  limited: StoredUser
}

export interface AppPasswordCacheDeps {
  rows: AppPasswordRows
  users: Pick<UserRows, 'find' | 'writes'>
  /** Changes when another connection has written to the database. */
  outsideVersion: () => number
}

export class AppPasswordCache {
  readonly #deps: AppPasswordCacheDeps
  readonly #byId = new Map<number, KnownAppPassword>()
  readonly #byHash = new Map<string, KnownAppPassword>()
  /** The state of the database that they were read from. */
  #version = ''

  constructor(deps: AppPasswordCacheDeps) {
    this.#deps = deps
  }

  /** @returns the app password with its user; undefined if it is unknown, paused or has ended */
  find(by: { id: number } | { secretHash: string }): KnownAppPassword | undefined {
    const { rows, users, outsideVersion } = this.#deps
    const version = `${outsideVersion()} ${rows.writes} ${users.writes}`
    if (version !== this.#version || this.#byId.size >= CACHED_MAX) {
      this.#byId.clear()
      this.#byHash.clear()
      this.#version = version
    }
    const cached = 'id' in by ? this.#byId.get(by.id) : this.#byHash.get(by.secretHash)
    const known =
      cached ?? this.#read('id' in by ? rows.find(by.id) : rows.findByHash(by.secretHash))
    if (!known || known.stored.isPaused) return undefined
    const { expiresMs } = known.stored
    return expiresMs !== 0 && expiresMs <= Date.now() ? undefined : known
  }

  #read(stored: StoredAppPassword | undefined): KnownAppPassword | undefined {
    const owner = stored && this.#deps.users.find(stored.userId)
    if (!stored || !owner) return undefined
    const user = { ...owner, perm: ceilingOf(owner, stored) }
    const scope = joinPath(parsePath(user.scope), stored.folder)
    const known = { stored, user, limited: { ...user, scope } }
    this.#byId.set(stored.id, known)
    this.#byHash.set(stored.secretHash, known)
    return known
  }
}

/** What both the user and the app password may do; never to administer or to run commands. */
function ceilingOf({ perm }: Pick<StoredUser, 'perm'>, stored: StoredAppPassword): Permissions {
  const may = (name: keyof Permissions) => (perm.admin || perm[name]) && stored.permissions[name]
  const both = PERMISSIONS.map((name) => [name, may(name)] as const)
  return { ...(Object.fromEntries(both) as Permissions), admin: false, execute: false }
}
