/** The token of a session: a JWT that names a session row and says who its owner is. */
import { jwtVerify, SignJWT } from 'jose'
import type { TokenClaims, TokenUser } from '#wire/session.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'filemgr'

export interface TokenNames {
  /** The session row. */
  session: string
  /** This token among the session's tokens. */
  token: string
}

export class Tokens {
  readonly #key: Uint8Array

  /** @param key at least 32 random bytes */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** @param expiresMs milliseconds since 1970 */
  issue(names: TokenNames, user: TokenUser, expiresMs: number): Promise<string> {
    return new SignJWT({ user, sid: names.session })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setJti(names.token)
      .setIssuedAt()
      .setExpirationTime(Math.floor(expiresMs / 1000))
      .sign(this.#key)
  }

  /** What a token names; undefined when it is forged, expired or no token of ours. */
  async read(token: string): Promise<TokenNames | undefined> {
    try {
      const { payload } = await jwtVerify<TokenClaims>(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        requiredClaims: ['exp', 'sid', 'jti'],
      })
      return payload.jti ? { session: payload.sid, token: payload.jti } : undefined
    } catch {
      return undefined
    }
  }
}
