/** Caches sessions and their users until the database is written to. */
import type { SessionRows, StoredSession } from '#server/db/rows/sessions.ts'
import type { StoredUser, UserRows } from '#server/db/rows/users.ts'

/** Limit of the cache. */
export const CACHED_SESSIONS_MAX = 10_000

export interface CachedSession {
  session: StoredSession
  user: StoredUser
}

export class SessionCache {
  readonly #sessions: SessionRows
  readonly #users: UserRows
  readonly #outsideVersion: () => Promise<string>
  /** By session id. */
  readonly #known = new Map<string, CachedSession>()
  /** The state of the database that `#known` was read from. */
  #version = ''

  /** @param outsideVersion changes when another connection has written to the database */
  constructor(sessions: SessionRows, users: UserRows, outsideVersion: () => Promise<string>) {
    this.#sessions = sessions
    this.#users = users
    this.#outsideVersion = outsideVersion
  }

  /** @returns a session that has not expired with its user; undefined if there is none */
  async find(id: string, nowMs: number): Promise<CachedSession | undefined> {
    await this.#forgetOutdated()
    const known = this.#known.get(id) ?? (await this.#read(id))
    return known && known.session.expiresMs > nowMs ? known : undefined
  }

  async #read(id: string): Promise<CachedSession | undefined> {
    for (;;) {
      const version = this.#version
      const session = await this.#sessions.find(id)
      const user = session && (await this.#users.find(session.userId))
      await this.#forgetOutdated()
      // Something was written in between: perhaps what was read is no longer true.
      if (version !== this.#version) continue
      if (!user) return undefined
      if (this.#known.size >= CACHED_SESSIONS_MAX) this.#known.clear()
      const known = { session, user }
      this.#known.set(id, known)
      return known
    }
  }

  async #forgetOutdated(): Promise<void> {
    const outside = await this.#outsideVersion()
    const version = `${outside} ${this.#sessions.writes} ${this.#users.writes}`
    if (version === this.#version) return
    this.#known.clear()
    this.#version = version
  }
}
