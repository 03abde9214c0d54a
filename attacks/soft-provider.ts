/**
 * An OpenID Connect provider in this process. An attacker who logs in decides what the ID token contains and how it is signed. The
 * provider hands a code out once, to the client that proves that it began the log-in (RFC 7636).
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export const PROVIDER_CLIENT = 'filemgr'

/** How an ID token differs from the right one. */
export interface BentToken {
  claims?: object
  header?: object
  /** By a key that is not published, or by none. */
  signed?: 'elsewhere' | 'never'
}

export interface SoftProvider extends Disposable {
  /** `http://127.0.0.1:PORT` */
  issuer: string
  /**
   * Logs a person in.
   *
   * @param request the address that the browser was sent to
   * @param person the claims of the person, with `sub`
   * @returns the query with which the browser goes back
   */
  logIn(request: URL, person: { sub: string }, bent?: BentToken): URLSearchParams
}

/** A code that was not exchanged yet. */
interface Grant {
  challenge: string
  idToken: string
}

export function openSoftProvider(): SoftProvider {
  const [keys, others] = [newKeys(), newKeys()]
  const grants = new Map<string, Grant>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const form = new URLSearchParams(await request.text())
      const { pathname } = new URL(request.url)
      const [status, body] = answer(pathname, form, issuer, keys.publicKey, grants)
      return Response.json(body, { status })
    },
  })
  const issuer = `http://127.0.0.1:${server.port}`
  return {
    issuer,
    logIn({ searchParams }, person, bent = {}) {
      const nowSec = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer,
        aud: PROVIDER_CLIENT,
        iat: nowSec,
        exp: nowSec + 300,
        nonce: searchParams.get('nonce') ?? undefined,
        ...person,
        ...bent.claims,
      }
      const code = randomBytes(16).toString('hex')
      const key = bent.signed === 'elsewhere' ? others.privateKey : keys.privateKey
      grants.set(code, {
        challenge: searchParams.get('code_challenge') ?? '',
        idToken: signedToken(claims, bent.header, bent.signed === 'never' ? undefined : key),
      })
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
    },
    [Symbol.dispose]() {
      void server.stop(true)
    },
  }
}

/** @returns status and body */
function answer(
  path: string,
  form: URLSearchParams,
  issuer: string,
  key: KeyObject,
  grants: Map<string, Grant>,
): [number, object] {
  if (path === '/.well-known/openid-configuration') return [200, metadataOf(issuer)]
  if (path === '/keys') {
    return [200, { keys: [{ ...key.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig' }] }]
  }
  const code = form.get('code') ?? ''
  const grant = grants.get(code)
  grants.delete(code)
  const proof = createHash('sha256').update(form.get('code_verifier') ?? '')
  if (path !== '/token' || grant?.challenge !== proof.digest('base64url')) {
    return [400, { error: 'invalid_grant' }]
  }
  return [200, { access_token: 'x', token_type: 'Bearer', id_token: grant.idToken }]
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  }
}

const KEY_ID = 'key'

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** @param key none: the token has no signature */
function signedToken(claims: object, header: object = {}, key?: KeyObject): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'RS256', kid: KEY_ID, ...header })}.${encode(claims)}`
  const signature = key ? sign('RSA-SHA256', Buffer.from(content), key).toString('base64url') : ''
  return `${content}.${signature}`
}
