/**
 * The token of a session: a JWT that names a session row and says who its owner is. And the pass to one
 * path: it names a session too, and is good for nothing else.
 */
import { jwtVerify, SignJWT } from 'jose'
import { randomName } from '#server/db/row-name.ts'
import type { TokenClaims, TokenUser } from '#wire/session.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'filemgr'
/** Of a pass. A session's token is for nobody in particular, so that neither stands for the other. */
const BYTES = 'bytes'
/** Passes of the same hour are the same, so that a browser finds again what it has kept. */
const SIGNED_URL_STEP_MS = 60 * 60_000
const SIGNED_URL_STEPS = 24

/** Tokens that are remembered; each takes about a kilobyte. */
export const READ_MAX = 2000

/** What the server reads of a token. */
export interface TokenNames {
  /** The session row. */
  session: string
  /** When the token ends, in milliseconds since 1970. */
  expiresMs: number
  /** The version of the person's record that the token speaks of; undefined in tokens of before. */
  changedMs: number | undefined
}

/** A name for each token: two that were issued in one second differ. */
const ID_BYTES = 18

/** Leave to read one path at the second origin. */
export interface SignedUrl {
  /** The session row; empty where no session is needed. */
  session: string
  /** Below the base URL, as it is sent. */
  path: string
  /** The query that goes with it, in the order in which it is sent. */
  query: string
  /** The origin of the interface that shows it. */
  from: string
}

export class Tokens {
  readonly #key: Uint8Array
  /** Tokens whose signature was looked at, the oldest first. */
  readonly #read = new Map<string, TokenNames>()

  /** @param key at least 32 random bytes */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  issue({ session, expiresMs, changedMs }: TokenNames, user: TokenUser): Promise<string> {
    return new SignJWT({ user, sid: session, changed: changedMs })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setJti(randomName(ID_BYTES))
      .setIssuedAt()
      .setExpirationTime(Math.floor(expiresMs / 1000))
      .sign(this.#key)
  }

  /** What a token names; undefined when it is forged, expired or no token of ours. */
  async read(token: string): Promise<TokenNames | undefined> {
    const known = this.#read.get(token)
    if (known && known.expiresMs > Date.now()) return known
    const names = await this.#verified(token)
    this.#read.delete(token)
    if (!names) return undefined
    this.#read.set(token, names)
    const [oldest] = this.#read.keys()
    if (oldest !== undefined && this.#read.size > READ_MAX) this.#read.delete(oldest)
    return names
  }

  async #verified(token: string): Promise<TokenNames | undefined> {
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

  issueSignedUrl(signedUrl: SignedUrl): Promise<string> {
    const expiresMs =
      (Math.floor(Date.now() / SIGNED_URL_STEP_MS) + SIGNED_URL_STEPS) * SIGNED_URL_STEP_MS
    return new SignJWT({ ...signedUrl })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(BYTES)
      .setExpirationTime(expiresMs / 1000)
      .sign(this.#key)
  }

  /** What a pass says; undefined when it is forged, expired or no pass of ours. */
  async readSignedUrl(text: string): Promise<SignedUrl | undefined> {
    try {
      const { payload } = await jwtVerify<SignedUrl>(text, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: BYTES,
        requiredClaims: ['exp', 'session', 'path', 'query', 'from'],
      })
      return payload
    } catch {
      return undefined
    }
  }
}
