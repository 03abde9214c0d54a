/** Log-outs that a provider sends to the server (OpenID Connect Back-Channel Logout 1.0). */
import { jwtVerify } from 'jose'
import type { IdentityRows } from '#server/db/rows/identities.ts'
import type { SignInFlowRows } from '#server/db/rows/sign-in-flows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'
import type { Sessions } from '../credentials/sessions.ts'
import { digestOf } from './flows.ts'
import { CLOCK_TOLERANCE_SEC, type ProviderConnections } from './provider-connections.ts'
import type { Providers } from './providers.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A log-out token is for now: an older one is not accepted. */
const AGE_MAX_SEC = 5 * 60
/** Signatures with a key of which the server has only the public half. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** The types of section 2.4, and that of providers before it required one. */
const TYPES = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt']

interface Deps {
  providers: Providers
  connections: ProviderConnections
  flowRows: SignInFlowRows
  identities: IdentityRows
  sessions: Sessions
}

export class Backchannel {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Ends the sessions that a log-out token names: those of one session at the provider, or all of a person.
   *
   * @throws Fault badRequest (the token is not valid), notFound (there is no such provider), unavailable (its keys cannot
   *   be read)
   */
  async logOut(providerId: string, token: string): Promise<void> {
    const { connections, flowRows, identities, providers, sessions } = this.#deps
    const provider = await providers.getEnabled(providerId)
    const { config, keys } = await connections.get(provider)
    const { issuer } = config.serverMetadata()
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience: provider.clientId,
      clockTolerance: CLOCK_TOLERANCE_SEC,
      maxTokenAge: AGE_MAX_SEC,
      requiredClaims: ['jti', 'events'],
    }).catch((cause: unknown) => {
      throw cause instanceof Fault ? cause : invalidToken(cause)
    })
    // Section 2.6, in its order.
    const { sub, sid, events, jti } = payload
    const type = protectedHeader.typ?.toLowerCase()
    if (!TYPES.includes(type)) throw invalidToken('typ')
    if (sub === undefined && typeof sid !== 'string') throw invalidToken('sub or sid')
    if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT)) {
      throw invalidToken('events')
    }
    if ('nonce' in payload) throw invalidToken('nonce')
    const untilMs = Date.now() + 2 * AGE_MAX_SEC * 1000
    const hash = digestOf(`${issuer}\n${jti}`)
    if (!(await flowRows.claimLogoutToken(hash, untilMs, SERVER_LIMITS.logoutTokensMax))) {
      throw invalidToken('jti was used before')
    }
    const providerSid = typeof sid === 'string' ? sid : ''
    const named = sub === undefined ? [] : [(await identities.find(issuer, sub))?.id ?? 0]
    const ids = sub === undefined ? await sessions.identitiesOf(providerSid) : named
    for (const id of ids) {
      if ((await identities.findById(id))?.issuer === issuer)
        await sessions.endByIdentity(id, providerSid)
    }
  }
}

/** @param cause for the log of the server */
function invalidToken(cause: unknown): Fault {
  return new Fault('badRequest', 'The log-out token is not valid.', { cause })
}
