/** Sessions: opened at sign-in, renewed, ended. No row, no entry (docs/decisions.md 7). */
import { randomName } from '#server/db/row-name.ts'
import type { SessionRows, StoredSession } from '#server/db/sessions.ts'
import type { StoredUser, UserRows } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TokenUser } from '#wire/session.ts'
import { SessionCache } from './session-cache.ts'
import type { SignedUrl, Tokens } from './tokens.ts'

/** Bytes of randomness in a session's name. */
const ID_BYTES = 18
/** The row is not written for every request. */
const TOUCH_EVERY_MS = 60_000
/** Renewal is due when less than this share of the lifetime is left. */
const RENEW_SHARE = 0.5

export interface AuthContext {
  user: StoredUser
  session: StoredSession
  /** The client should renew: half of its token's time is over, or the person's record has changed. */
  renew: boolean
}

export interface Caller {
  address: string
  agent: string
}

export class Sessions {
  readonly #rows: SessionRows
  readonly #users: UserRows
  readonly #known: SessionCache
  readonly #tokens: Tokens
  readonly #lifetimeMs: number

  /** @param outsideVersion changes whenever another connection has written to the database */
  constructor(
    rows: SessionRows,
    users: UserRows,
    tokens: Tokens,
    { lifetimeMs, outsideVersion }: { lifetimeMs: number; outsideVersion: () => number },
  ) {
    this.#rows = rows
    this.#users = users
    this.#known = new SessionCache(rows, users, outsideVersion)
    this.#tokens = tokens
    this.#lifetimeMs = lifetimeMs
  }

  /**
   * Opens a session; of too many the one seen longest ago ends.
   *
   * @param user as they were when they showed who they are
   * @returns its token
   * @throws Fault wrongCredentials when the password has changed since, or the user is gone
   */
  async open(user: StoredUser, caller: Caller): Promise<string> {
    if (this.#users.find(user.id)?.passwordHash !== user.passwordHash) {
      throw new Fault('wrongCredentials', 'The name or the password is wrong.')
    }
    const now = Date.now()
    this.#rows.removeExpired(now)
    this.#rows.keepNewest(user.id, LIMITS.sessionsMax - 1)
    const session: StoredSession = {
      id: randomName(ID_BYTES),
      userId: user.id,
      createdMs: now,
      seenMs: now,
      expiresMs: now + this.#lifetimeMs,
      address: caller.address,
      agent: caller.agent.slice(0, 256),
      ownCookie: false,
    }
    this.#rows.insert(session)
    return this.#issue(session, user)
  }

  /** Whom a token lets in, as the database has it now; undefined for no one. */
  async authenticate(token: string, address: string): Promise<AuthContext | undefined> {
    const names = await this.#tokens.read(token)
    if (!names) return undefined
    const now = Date.now()
    const known = this.#known.find(names.session, now)
    if (!known) return undefined
    const { session, user } = known
    if (now - session.seenMs > TOUCH_EVERY_MS) this.#touch(session, now, address)
    const isOld = names.expiresMs - now < this.#lifetimeMs * RENEW_SHARE
    const isOutdated = names.changedMs !== undefined && names.changedMs < user.changedMs
    return { user, session, renew: isOld || isOutdated }
  }

  issueSignedUrl(signedUrl: SignedUrl): Promise<string> {
    return this.#tokens.issueSignedUrl(signedUrl)
  }

  /** What a pass says; undefined when it is none. Whom it lets in is another question. */
  readSignedUrl(text: string): Promise<SignedUrl | undefined> {
    return this.#tokens.readSignedUrl(text)
  }

  /** Whom a pass lets in, while the session that asked for it lives. */
  authenticateSignedUrl(signedUrl: SignedUrl): AuthContext | undefined {
    const known = this.#known.find(signedUrl.session, Date.now())
    return known && { ...known, renew: false }
  }

  /** Whose session this is, as the database has them now; undefined when it has ended. */
  personOf(id: string): StoredUser | undefined {
    return this.#known.find(id, Date.now())?.user
  }

  /**
   * Notes that a session's client keeps a cookie of its own. From then on the server's cookie alone says
   * that the client has dropped its own, which is how File Browser's interface signs out.
   */
  recordOwnCookie({ session }: AuthContext): void {
    if (session.ownCookie) return
    try {
      this.#rows.setOwnCookie(session.id)
    } catch {
      // As with `#touch`.
    }
  }

  /** A database that takes nothing (a full disk) keeps nobody from reading, or from making room. */
  #touch({ id }: StoredSession, now: number, address: string): void {
    try {
      this.#rows.touch(id, now, address)
    } catch {
      // The next request tries again.
    }
  }

  /**
   * A fresh token for a session, which lives as long as that. Earlier tokens are good until they end by
   * themselves: another window of the same browser may hold one. Ending the session ends all of them.
   */
  renew({ session, user }: AuthContext): Promise<string> {
    const now = Date.now()
    const next = { ...session, expiresMs: now + this.#lifetimeMs }
    this.#rows.extend(session.id, next.expiresMs)
    this.#rows.touch(session.id, now, session.address)
    return this.#issue(next, user)
  }

  /** Live sessions: everybody's, or one user's. */
  list(userId?: number): StoredSession[] {
    this.#rows.removeExpired(Date.now())
    const all = this.#rows.list()
    return userId === undefined ? all : all.filter((session) => session.userId === userId)
  }

  find(id: string): StoredSession | undefined {
    return this.#rows.find(id)
  }

  /** Ends one session at once. */
  end(id: string): void {
    this.#rows.remove(id)
  }

  /** Ends every session of a user: a password or rights were changed. */
  endAll(userId: number): void {
    this.#rows.removeByUser(userId)
  }

  #issue({ id, expiresMs }: StoredSession, user: StoredUser): Promise<string> {
    return this.#tokens.issue(
      { session: id, expiresMs, changedMs: user.changedMs },
      tokenUser(user),
    )
  }
}

/** Display data for the client, as File Browser's tokens carry it (docs/api.md 2). */
function tokenUser(user: StoredUser): TokenUser {
  return {
    id: user.id,
    username: user.username,
    locale: user.locale,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: user.perm,
    commands: user.commands,
    lockPassword: user.lockPassword,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    sorting: user.sorting,
    aceEditorTheme: user.aceEditorTheme,
  }
}
