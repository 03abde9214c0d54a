/** Sends browsers to a provider, and checks what comes back (OpenID Connect Core 1.0 sections 3.1.2 and 3.1.3). */
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client'
import type { StoredProvider } from '#server/db/rows/providers.ts'
import type { StoredFlow } from '#server/db/rows/sign-in-flows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Claims } from './claims.ts'
import type { NewFlow } from './flows.ts'
import type { ProviderConnection } from './provider-connections.ts'
import { asProviderFault, providerFault } from './provider-faults.ts'

/** What a provider has said about a user, after all checks. */
export interface ProviderAnswer {
  issuer: string
  subject: string
  /** The session at the provider; empty if it has sent none. */
  providerSid: string
  /** Of the ID token and of the user info; where both have a claim, that of the ID token. */
  claims: Claims
  idToken: string
}

/** The address at the provider where the user logs in. */
export async function authorizationAddress(
  { config }: ProviderConnection,
  { options }: StoredProvider,
  { state, nonce, verifier }: NewFlow,
  redirectAddress: string,
): Promise<string> {
  const words = options.scopes.split(/\s+/).filter((word) => word !== '' && word !== 'openid')
  return buildAuthorizationUrl(config, {
    response_type: 'code',
    redirect_uri: redirectAddress,
    scope: ['openid', ...words].join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/**
 * Exchanges the code of a response, and checks the ID token and the user info: state, issuer (RFC 9207), nonce, audience,
 * times, signature, and that both have the same subject.
 *
 * @param query of the request to the redirect address
 * @throws Fault with a reason that begins with `provider`
 */
export async function readAnswer(
  { config }: ProviderConnection,
  flow: StoredFlow,
  state: string,
  redirectAddress: string,
  query: string,
): Promise<ProviderAnswer> {
  try {
    const address = new URL(redirectAddress)
    address.search = query
    const tokens = await authorizationCodeGrant(config, address, {
      expectedState: state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    })
    const own = tokens.claims()
    if (!own || !tokens.id_token) throw providerFault('providerMismatch', 'There is no ID token.')
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
    // The subject must be the same (section 5.3.2).
    const more = hasUserInfo ? await fetchUserInfo(config, tokens.access_token, own.sub) : {}
    const claims = { ...withoutNull(more), ...withoutNull(own) }
    if (JSON.stringify(claims).length > SERVER_LIMITS.claimsMaxBytes) {
      throw providerFault('providerInvalid', new Error('The claims are too large.'))
    }
    const isKept = tokens.id_token.length <= SERVER_LIMITS.idTokenMaxBytes
    return {
      issuer: own.iss,
      subject: own.sub,
      providerSid: typeof own.sid === 'string' ? own.sid : '',
      claims,
      idToken: isKept ? tokens.id_token : '',
    }
  } catch (error) {
    throw asProviderFault(error)
  }
}

/** @returns the address of the log-out at the provider; undefined if it has none */
export function logoutAddressAt(
  { config }: ProviderConnection,
  idToken: string,
  returnAddress: string,
): string | undefined {
  if (!config.serverMetadata().end_session_endpoint) return undefined
  return buildEndSessionUrl(config, {
    post_logout_redirect_uri: returnAddress,
    state: 'out',
    ...(idToken === '' ? {} : { id_token_hint: idToken }),
  }).href
}

/** A claim that is `null` is absent. */
function withoutNull(claims: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null))
}
