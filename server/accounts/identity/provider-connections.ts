/** What is known about each provider: its end points and keys, which are read again from time to time. */
import { createRemoteJWKSet, customFetch as joseFetch } from 'jose'
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import type { StoredProvider } from '#server/db/rows/providers.ts'
import type { Discovered } from '#wire/api/identity.ts'
import { Fault } from '#wire/fault.ts'
import { asDiscoveryFault, providerFault } from './provider-faults.ts'
import { fetchFromProvider, isProviderAddress } from './provider-fetch.ts'

/** The metadata of a provider is read again after this time. */
const READ_AGAIN_MS = 60 * 60_000
/** A failed read is not repeated for this time, so that visitors cannot make the server send many requests. */
const FAILED_MS = 2000
/** An unknown key makes the server read the keys again, at most once in this time. */
const KEYS_AGAIN_MS = 60_000
/** How much the clocks of the server and the provider may differ. */
export const CLOCK_TOLERANCE_SEC = 60

/** A provider whose metadata is known. */
export interface ProviderConnection {
  config: Configuration
  /** The keys that verify log-out tokens. */
  keys: ReturnType<typeof createRemoteJWKSet>
}

type Client = Pick<StoredProvider, 'issuer' | 'clientId' | 'clientSecret'>

interface Known {
  /** What it was read for. */
  client: string
  connection: Promise<ProviderConnection>
  untilMs: number
}

export class ProviderConnections {
  readonly #known = new Map<string, Known>()

  /**
   * @returns the connection of a provider, of which one is made at a time
   * @throws Fault with a reason that begins with `provider`
   */
  get({ id, issuer, clientId, clientSecret }: StoredProvider): Promise<ProviderConnection> {
    const client = JSON.stringify([issuer, clientId, clientSecret])
    const known = this.#known.get(id)
    if (known?.client === client && known.untilMs > Date.now()) return known.connection
    const entry: Known = {
      client,
      connection: connect({ issuer, clientId, clientSecret }),
      untilMs: Date.now() + READ_AGAIN_MS,
    }
    entry.connection.catch(() => {
      entry.untilMs = Date.now() + FAILED_MS
    })
    this.#known.set(id, entry)
    return entry.connection
  }
}

/**
 * Reads what a provider says about itself.
 *
 * @throws Fault badRequest (no address of a provider); as `ProviderConnections.get`
 */
export async function discoverProvider(issuer: string): Promise<Discovered> {
  const { config } = await connect({ issuer, clientId: 'none', clientSecret: '' })
  const metadata = config.serverMetadata()
  const listed = (list: unknown) => (Array.isArray(list) ? list.map(String) : [])
  return {
    issuer: metadata.issuer,
    authorization: metadata.authorization_endpoint ?? '',
    token: metadata.token_endpoint ?? '',
    userInfo: metadata.userinfo_endpoint ?? '',
    endSession: metadata.end_session_endpoint ?? '',
    scopes: listed(metadata.scopes_supported),
    claims: listed(metadata.claims_supported),
    hasBackchannel: metadata.backchannel_logout_supported === true,
    hasPkce: listed(metadata.code_challenge_methods_supported).includes('S256'),
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
  }
}

/** @throws Fault badRequest */
export function issuerUrl(text: string): URL {
  const url = URL.parse(text)
  if (url && isProviderAddress(url) && url.search === '' && url.hash === '') return url
  throw new Fault('badRequest', 'The address of a provider must begin with https://.', {
    reason: 'issuerInvalid',
    field: 'issuer',
  })
}

async function connect({ issuer, clientId, clientSecret }: Client): Promise<ProviderConnection> {
  const url = issuerUrl(issuer)
  // `isProviderAddress` allows it only on this machine.
  const insecure = url.protocol === 'http:' ? [allowInsecureRequests] : []
  try {
    const config = await discovery(
      url,
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_SEC },
      // Chosen when the metadata is known.
      (as, client, body, headers) => {
        const methods = as.token_endpoint_auth_methods_supported
        const authenticate = clientAuthentication(clientSecret, methods)
        return authenticate(as, client, body, headers)
      },
      {
        [customFetch]: fetchFromProvider,
        execute: [...insecure, enableNonRepudiationChecks],
      },
    )
    const { authorization_endpoint, token_endpoint, jwks_uri } = config.serverMetadata()
    if (!authorization_endpoint || !token_endpoint || !jwks_uri) {
      throw providerFault('providerInvalid', new Error('The metadata lacks an end point.'))
    }
    for (const address of [authorization_endpoint, token_endpoint, jwks_uri]) {
      if (hasAllowedProtocol(address, url)) continue
      throw providerFault('providerInvalid', new Error(`Not https: ${address}`))
    }
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      [joseFetch]: fetchFromProvider,
      cooldownDuration: KEYS_AGAIN_MS,
    })
    return { config, keys }
  } catch (error) {
    throw asDiscoveryFault(error)
  }
}

/** A provider with `https` has no end point without it. */
function hasAllowedProtocol(address: string, issuer: URL): boolean {
  const url = URL.parse(address)
  if (!url || !isProviderAddress(url)) return false
  return url.protocol === 'https:' || issuer.protocol === 'http:'
}

/** RFC 6749 section 2.3.1: the header, unless the provider supports only the body. */
function clientAuthentication(secret: string, methods: readonly string[] | undefined) {
  if (secret === '') return None()
  const takesHeader = !methods || methods.includes('client_secret_basic')
  return takesHeader ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}
