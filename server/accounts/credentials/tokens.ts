/**
 * Session tokens: JWTs with the session id and data of the user. Signed URLs: JWTs for one path. Tickets: JWTs for a right
 * password without its second factor. Challenges: JWTs that a passkey signs.
 */
import { jwtVerify, SignJWT } from 'jose'
import { randomId } from '#server/db/random-id.ts'
import type { TokenClaims, TokenUser } from '#wire/api/session.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'filemgr'
/** The audience of signed URLs. Session tokens have none, so neither is accepted as the other. */
const SIGNED_URL_AUDIENCE = 'bytes'
/** The audience of tickets: a password was right, and the second factor is missing. */
const TICKET_AUDIENCE = 'second-factor'
const TICKET_MS = 5 * 60_000
/** The audience of challenges. */
const CHALLENGE_AUDIENCE = 'passkey'
const CHALLENGE_MS = 5 * 60_000
/** Signed URLs of the same hour are equal, so that browsers can cache the files. */
const SIGNED_URL_STEP_MS = 60 * 60_000
/** A signed URL is valid for 23 to 24 of these steps. */
const SIGNED_URL_STEPS = 24

/** The greatest number of cached tokens; each takes about a kilobyte. */
export const TOKEN_CACHE_MAX = 2000

/** The claims of a session token that the server reads. */
export interface SessionClaims {
  /** The session id. */
  session: string
  /** Expiry, in milliseconds since 1970. */
  expiresMs: number
  /** The version of the user's row that the token was made from; undefined in older tokens. */
  changedMs: number | undefined
}

/** What a token says beside that, for the interface. */
interface SessionFacts {
  /** Whether a provider has signed the user in. */
  atProvider?: boolean
}

/** Random bytes of the token id, so that two tokens of the same second differ. */
const ID_BYTES = 18

/** Permission to read one path at the content origin. */
export interface SignedUrl {
  /** The session id; empty for public paths. */
  session: string
  /** Below the base URL, as sent. */
  path: string
  /** The query string, in the order in which it is sent. */
  query: string
  /** The origin of the interface that shows the file. */
  from: string
}

/** The right password of a user. */
export interface Ticket {
  user: number
  /** Identifies the password. */
  password: string
  /** The identity of the user in a directory, whose password it was; absent: the own one. */
  identity?: number | undefined
}

/** What a passkey signs, for one use. */
export interface Challenge {
  purpose: 'signIn' | 'register' | 'verify'
  /** The session that it was made for; empty for a sign-in. */
  session: string
  /** What authenticators know the user of a new passkey by; otherwise empty. */
  handle: string
}

/** A challenge as it was read. */
export interface ReadChallenge extends Challenge {
  id: string
  /** Milliseconds since 1970. */
  expiresMs: number
}

export class Tokens {
  readonly #key: Uint8Array
  /** Key: a verified token; value: its claims. The least recently verified one is first. */
  readonly #verifiedClaims = new Map<string, SessionClaims>()

  /** @param key at least 32 random bytes */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  issue(
    { session, expiresMs, changedMs, atProvider = false }: SessionClaims & SessionFacts,
    user: TokenUser,
  ): Promise<string> {
    return new SignJWT({
      user,
      sid: session,
      changed: changedMs,
      ...(atProvider && { atProvider }),
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setJti(randomId(ID_BYTES))
      .setIssuedAt()
      .setExpirationTime(Math.floor(expiresMs / 1000))
      .sign(this.#key)
  }

  /** @returns the claims of a session token; undefined if it is forged, expired or a signed URL */
  async read(token: string): Promise<SessionClaims | undefined> {
    const known = this.#verifiedClaims.get(token)
    if (known && known.expiresMs > Date.now()) return known
    const claims = await this.#verified(token)
    this.#verifiedClaims.delete(token)
    if (!claims) return undefined
    this.#verifiedClaims.set(token, claims)
    const [oldest] = this.#verifiedClaims.keys()
    if (oldest !== undefined && this.#verifiedClaims.size > TOKEN_CACHE_MAX)
      this.#verifiedClaims.delete(oldest)
    return claims
  }

  async #verified(token: string): Promise<SessionClaims | undefined> {
    try {
      const { payload } = await jwtVerify<TokenClaims>(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        requiredClaims: ['exp', 'sid', 'jti'],
      })
      const { sid, exp, changed } = payload
      return { session: sid, expiresMs: exp * 1000, changedMs: changed }
    } catch {
      return undefined
    }
  }

  issueTicket(ticket: Ticket): Promise<string> {
    return new SignJWT({ ...ticket })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(TICKET_AUDIENCE)
      .setExpirationTime(Math.floor((Date.now() + TICKET_MS) / 1000))
      .sign(this.#key)
  }

  /** @returns the content of a ticket; undefined if it is forged, expired or another token */
  readTicket(text: string): Promise<Ticket | undefined> {
    return this.#readFor<Ticket>(text, TICKET_AUDIENCE, ['user', 'password'])
  }

  issueChallenge(challenge: Challenge): Promise<string> {
    return new SignJWT({ ...challenge })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(CHALLENGE_AUDIENCE)
      .setJti(randomId(ID_BYTES))
      .setExpirationTime(Math.floor((Date.now() + CHALLENGE_MS) / 1000))
      .sign(this.#key)
  }

  /** @returns the content of a challenge; undefined if it is forged, expired or another token */
  async readChallenge(text: string): Promise<ReadChallenge | undefined> {
    const claims = await this.#readFor<Challenge & { jti: string; exp: number }>(
      text,
      CHALLENGE_AUDIENCE,
      ['jti', 'purpose', 'session', 'handle'],
    )
    if (!claims) return undefined
    const { jti, exp, purpose, session, handle } = claims
    return { id: jti, expiresMs: exp * 1000, purpose, session, handle }
  }

  issueSignedUrl(signedUrl: SignedUrl): Promise<string> {
    const expiresMs =
      (Math.floor(Date.now() / SIGNED_URL_STEP_MS) + SIGNED_URL_STEPS) * SIGNED_URL_STEP_MS
    return new SignJWT({ ...signedUrl })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(SIGNED_URL_AUDIENCE)
      .setExpirationTime(expiresMs / 1000)
      .sign(this.#key)
  }

  /** @returns the content of a signed URL; undefined if it is forged, expired or a session token */
  readSignedUrl(text: string): Promise<SignedUrl | undefined> {
    return this.#readFor<SignedUrl>(text, SIGNED_URL_AUDIENCE, ['session', 'path', 'query', 'from'])
  }

  /** @returns the claims of a token for one audience; undefined if it is forged, expired or for another one */
  async #readFor<Claims>(
    text: string,
    audience: string,
    required: readonly (keyof Claims & string)[],
  ): Promise<Claims | undefined> {
    try {
      const { payload } = await jwtVerify<Claims>(text, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience,
        requiredClaims: ['exp', ...required],
      })
      return payload
    } catch {
      return undefined
    }
  }
}
