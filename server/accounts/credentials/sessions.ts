/**
 * Sessions: created at sign-in, renewed and ended. Without a row in the database a token is invalid
 * (docs/decisions.md 7).
 */
import type { Actor } from '#server/access/actor.ts'
import { randomId } from '#server/db/random-id.ts'
import type { StoredAppPassword } from '#server/db/rows/app-passwords.ts'
import type { SessionIdentity, SessionRows, StoredSession } from '#server/db/rows/sessions.ts'
import type { StoredUser, UserRows } from '#server/db/rows/users.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { TokenUser } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import { SessionCache } from './session-cache.ts'
import type { SignedUrl, Tokens } from './tokens.ts'

/** Random bytes in a session id. */
const ID_BYTES = 18
/** The last-seen time is not written for every request. */
const TOUCH_EVERY_MS = 60_000
/** A token is renewed when less than this fraction of its lifetime is left. */
const RENEW_FRACTION = 0.5

/** The user of a request, with the ceiling of what the request was made with. */
export type SignedInUser = StoredUser & Pick<Actor, 'ceiling'>

export interface AuthContext {
  user: SignedInUser
  session: StoredSession
  /** Whether the client should renew its token: it expires soon, or the data of the user in it is outdated. */
  shouldRenew: boolean
  /** The app password that the request was made with, instead of a session: `session` only names it then. */
  appPassword?: StoredAppPassword
}

interface SessionOptions {
  lifetimeMs: number
  outsideVersion: () => Promise<string>
  durably?: Write
}

/** Runs work that writes rows. */
type Write = <T>(work: () => Promise<T>) => Promise<T>

/** How a session is opened. */
export interface SessionOrigin {
  /** When the user gave the password and a second factor; 0: not. */
  verifiedMs?: number
  identity?: SessionIdentity | undefined
}

export interface SessionClient {
  address: string
  agent: string
}

export class Sessions {
  readonly #rows: SessionRows
  readonly #users: UserRows
  readonly #cache: SessionCache
  readonly #tokens: Tokens
  readonly #lifetimeMs: number
  readonly #durably: Write
  /** Rows that are about to be written without a flush. */
  readonly #waiting = new Set<string>()

  /**
   * @param options `outsideVersion` changes when another connection has written to the database; `durably` runs work
   *   that writes rows, also on a full disk, and waits until they are on the disk
   */
  constructor(
    rows: SessionRows,
    users: UserRows,
    tokens: Tokens,
    { lifetimeMs, outsideVersion, durably = async (work) => work() }: SessionOptions,
  ) {
    this.#rows = rows
    this.#users = users
    this.#cache = new SessionCache(rows, users, outsideVersion)
    this.#tokens = tokens
    this.#lifetimeMs = lifetimeMs
    this.#durably = durably
  }

  /**
   * Creates a session. If the user has too many, the session with the oldest activity ends.
   *
   * @param user as read when the password was verified
   * @param origin how the user was authenticated
   * @returns the token of the session
   * @throws Fault wrongCredentials (the password has changed since, or the user was deleted)
   */
  async open(
    user: StoredUser,
    client: SessionClient,
    { verifiedMs = 0, identity }: SessionOrigin = {},
  ): Promise<string> {
    const nowMs = Date.now()
    const session: StoredSession = {
      id: randomId(ID_BYTES),
      userId: user.id,
      createdMs: nowMs,
      seenMs: nowMs,
      expiresMs: nowMs + this.#lifetimeMs,
      address: client.address,
      agent: client.agent.slice(0, 256),
      hasOwnCookie: false,
      verifiedMs,
      identity,
    }
    await this.#durably(async () => {
      await this.#requireSamePassword(user)
      await this.#rows.removeExpired(nowMs)
      await this.#rows.keepNewest(user.id, SERVER_LIMITS.sessionsMax - 1)
      await this.#rows.insert(session)
    })
    return this.#issue(session, user)
  }

  /** @throws Fault wrongCredentials */
  async #requireSamePassword(user: StoredUser): Promise<void> {
    if ((await this.#users.find(user.id))?.passwordHash !== user.passwordHash) {
      throw new Fault('wrongCredentials', 'The name or the password is wrong.')
    }
  }

  /** @returns the session and user of a token; undefined if it is invalid */
  async authenticate(token: string, address: string): Promise<AuthContext | undefined> {
    const claims = await this.#tokens.read(token)
    if (!claims) return undefined
    const nowMs = Date.now()
    const known = await this.#cache.find(claims.session, nowMs)
    if (!known) return undefined
    const { session, user } = known
    if (nowMs - session.seenMs > TOUCH_EVERY_MS) this.#touch(session, nowMs, address)
    const isOld = claims.expiresMs - nowMs < this.#lifetimeMs * RENEW_FRACTION
    const isOutdated = claims.changedMs !== undefined && claims.changedMs < user.changedMs
    return { user, session, shouldRenew: isOld || isOutdated }
  }

  /** Notes that the user of a session has given the password and the second factor. */
  async setVerified(id: string): Promise<void> {
    await this.#rows.setVerified(id, Date.now())
  }

  /**
   * @param identity of the user in a directory, whose password was given; 0: the own one
   * @returns a text that stands for the password of a user for a few minutes, until it changes
   */
  issueTicket({ id, passwordHash }: StoredUser, identity = 0): Promise<string> {
    const password = digestOf(passwordHash)
    return this.#tokens.issueTicket({ user: id, password, ...(identity !== 0 && { identity }) })
  }

  /** @returns what a ticket stands for; undefined if it is forged, expired, or of an earlier password */
  async readTicket(text: string): Promise<{ user: StoredUser; identity: number } | undefined> {
    const ticket = await this.#tokens.readTicket(text)
    const user = ticket && (await this.#users.find(ticket.user))
    if (!user || digestOf(user.passwordHash) !== ticket.password) return undefined
    return { user, identity: ticket.identity ?? 0 }
  }

  issueSignedUrl(signedUrl: SignedUrl): Promise<string> {
    return this.#tokens.issueSignedUrl(signedUrl)
  }

  /** @returns the content of a signed URL; undefined if it is invalid. Access is not checked. */
  readSignedUrl(text: string): Promise<SignedUrl | undefined> {
    return this.#tokens.readSignedUrl(text)
  }

  /** @returns the session and user of a signed URL; undefined if the session has ended */
  async authenticateSignedUrl(signedUrl: SignedUrl): Promise<AuthContext | undefined> {
    const known = await this.#cache.find(signedUrl.session, Date.now())
    return known && { ...known, shouldRenew: false }
  }

  /** @returns the user of a session; undefined if it has ended */
  async userOf(id: string): Promise<StoredUser | undefined> {
    return (await this.#cache.find(id, Date.now()))?.user
  }

  /**
   * Notes that the client stores its own cookie. If later only the server's cookie is sent, the client has deleted
   * its own, which is how File Browser's interface signs out.
   */
  recordOwnCookie({ session }: AuthContext): void {
    if (session.hasOwnCookie) return
    this.#writeLater(`cookie ${session.id}`, () => this.#rows.setOwnCookie(session.id))
  }

  #touch({ id }: StoredSession, nowMs: number, address: string): void {
    this.#writeLater(`touch ${id}`, () => this.#rows.touch(id, nowMs, address))
  }

  /**
   * Writes without waiting. A write error, such as a full disk, must not prevent reading or freeing space: the next request
   * tries it again.
   *
   * @param key of what is written, which then is not written again before
   */
  #writeLater(key: string, work: () => Promise<void>): void {
    if (this.#waiting.has(key)) return
    this.#waiting.add(key)
    void work()
      .catch(() => undefined)
      .finally(() => this.#waiting.delete(key))
  }

  /**
   * @returns a new token for a session. Earlier tokens stay valid until they expire, because other windows may use
   *   them. Ending the session ends all of them.
   */
  async renew({ session, user }: AuthContext): Promise<string> {
    const nowMs = Date.now()
    const next = { ...session, expiresMs: nowMs + this.#lifetimeMs }
    await this.#durably(async () => {
      await this.#rows.extend(session.id, next.expiresMs)
      await this.#rows.touch(session.id, nowMs, session.address)
    })
    return this.#issue(next, user)
  }

  /** @returns the live sessions of one user, or of all */
  list(userId?: number): Promise<StoredSession[]> {
    return this.#rows.list(userId, Date.now())
  }

  find(id: string): Promise<StoredSession | undefined> {
    return this.#rows.find(id)
  }

  /** Ends a session at once. */
  async end(id: string): Promise<void> {
    await this.#rows.remove(id)
  }

  /** Ends all sessions of a user at once, for example after a change of password or rights. */
  async endAll(userId: number): Promise<void> {
    await this.#rows.removeByUser(userId)
  }

  /**
   * Ends the sessions that were opened with an identity: all, or those of one session at the provider.
   *
   * @returns how many have ended
   */
  endByIdentity(identityId: number, providerSid = ''): Promise<number> {
    return this.#rows.removeByIdentity(identityId, providerSid)
  }

  /** Ends the sessions that a provider or a directory opened. @returns how many have ended */
  endByIssuer(issuer: string): Promise<number> {
    return this.#rows.removeByIssuer(issuer)
  }

  /** @returns the identities whose sessions belong to a session at the provider */
  identitiesOf(providerSid: string): Promise<number[]> {
    return this.#rows.identitiesOf(providerSid)
  }

  #issue({ id, expiresMs, identity }: StoredSession, user: StoredUser): Promise<string> {
    return this.#tokens.issue(
      { session: id, expiresMs, changedMs: user.changedMs, atProvider: identity !== undefined },
      tokenUser(user),
    )
  }
}

/** Identifies the hash of a password, which clients must not see. */
function digestOf(passwordHash: string): string {
  return new Bun.CryptoHasher('sha256').update(passwordHash).digest('hex')
}

/** User data for the client, as in File Browser's tokens (docs/api.md 2). */
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
