/** Caches app passwords and their users until the database is written to: each request with one is checked. */
import { appPasswordCeiling } from '#server/access/ceiling.ts'
import type { AppPasswordRows, StoredAppPassword } from '#server/db/rows/app-passwords.ts'
import type { StoredUser, UserRows } from '#server/db/rows/users.ts'
import { joinPath, parsePath } from '#wire/paths.ts'
import type { SignedInUser } from '../credentials/sessions.ts'

/** Limit of the cache. */
const CACHED_MAX = 10_000

export interface KnownAppPassword {
  stored: StoredAppPassword
  /** The user, with the ceiling of the app password. */
  user: SignedInUser
  /** As `user`, with the folder of the app password as the scope. */
  limited: SignedInUser
}

export interface AppPasswordCacheDeps {
  rows: AppPasswordRows
  users: Pick<UserRows, 'find' | 'writes'>
  /** Changes when another connection has written to the database. */
  outsideVersion: () => Promise<string>
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
  async find(by: { id: number } | { secretHash: string }): Promise<KnownAppPassword | undefined> {
    await this.#forgetOutdated()
    const cached = 'id' in by ? this.#byId.get(by.id) : this.#byHash.get(by.secretHash)
    const known = cached ?? (await this.#read(by))
    if (!known || known.stored.isPaused) return undefined
    const { expiresMs } = known.stored
    return expiresMs !== 0 && expiresMs <= Date.now() ? undefined : known
  }

  async #read(by: { id: number } | { secretHash: string }): Promise<KnownAppPassword | undefined> {
    const { rows, users } = this.#deps
    for (;;) {
      const version = this.#version
      const stored = 'id' in by ? await rows.find(by.id) : await rows.findByHash(by.secretHash)
      const owner = stored && (await users.find(stored.userId))
      await this.#forgetOutdated()
      // Something was written in between: perhaps what was read is no longer true.
      if (version !== this.#version) continue
      return stored && owner && this.#remember(stored, owner)
    }
  }

  #remember(stored: StoredAppPassword, owner: StoredUser): KnownAppPassword {
    const user = { ...owner, ceiling: appPasswordCeiling(stored.permissions) }
    const scope = joinPath(parsePath(user.scope), stored.folder)
    const known = { stored, user, limited: { ...user, scope } }
    this.#byId.set(stored.id, known)
    this.#byHash.set(stored.secretHash, known)
    return known
  }

  async #forgetOutdated(): Promise<void> {
    const { rows, users, outsideVersion } = this.#deps
    const outside = await outsideVersion()
    const version = `${outside} ${rows.writes} ${users.writes}`
    if (version === this.#version && this.#byId.size < CACHED_MAX) return
    this.#byId.clear()
    this.#byHash.clear()
    this.#version = version
  }
}
