/** Log-in with a provider: begins it, checks the response, and opens a session for the user of the identity. */
import type { IdentityRows } from '#server/db/rows/identities.ts'
import type { StoredProvider } from '#server/db/rows/providers.ts'
import type { StoredSession } from '#server/db/rows/sessions.ts'
import type { StoredFlow } from '#server/db/rows/sign-in-flows.ts'
import type { LinkedIdentity, LoginProviders, ProviderTest } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import { timeOrEmpty } from '#wire/units.ts'
import type { KnownNetworks } from '../credentials/known-networks.ts'
import type { SessionClient, Sessions } from '../credentials/sessions.ts'
import type { Directories } from '../directory/directories.ts'
import type { SignedIn } from '../sign-in/sign-in.ts'
import type { Provisioning } from '../users/provisioning.ts'
import { labelIn } from './claims.ts'
import { type FlowRequest, type Flows, flowEnded, LOGIN_PAGE, type NewFlow } from './flows.ts'
import { type Account, type IdentityUsers, identityRefused } from './identity-users.ts'
import {
  authorizationAddress,
  logoutAddressAt,
  type ProviderAnswer,
  readAnswer,
} from './provider-answers.ts'
import type { ProviderConnections } from './provider-connections.ts'
import type { Providers } from './providers.ts'

/** The log-out waits for so long for a provider that does not respond. */
const LOGOUT_WITHIN_MS = 3000

interface Deps {
  providers: Providers
  connections: ProviderConnections
  flows: Flows
  identities: IdentityRows
  identityUsers: IdentityUsers
  directories: Directories
  provisioning: Provisioning
  sessions: Sessions
  knownNetworks: KnownNetworks
  /** The public address of the installation; empty if it is not set. */
  publicAddress: () => string
}

export class IdentitySignIn {
  readonly #deps: Deps
  readonly #isUsable: boolean

  /** @param isUsable whether this server uses its own passwords: providers exist only beside them */
  constructor(deps: Deps, isUsable: boolean) {
    this.#deps = deps
    this.#isUsable = isUsable
  }

  /** What the login page shows. Without a public address no log-in is possible, so no provider is shown. */
  async shown(): Promise<LoginProviders> {
    const isPossible = this.#isUsable && this.#deps.publicAddress() !== ''
    return isPossible ? await this.#deps.providers.shown() : { providers: [], redirectsTo: '' }
  }

  /** The public address of a path; empty without a public address. */
  addressOf(path: string): string {
    const base = this.#deps.publicAddress()
    return base === '' ? '' : base + path
  }

  /** The address to which a provider sends browsers. It never depends on the request. */
  redirectAddressOf(id: string): string {
    return this.addressOf(`${API.identityCallback}/${id}`)
  }

  /**
   * Begins a log-in.
   *
   * @returns the address at the provider, and the secrets of the flow
   * @throws Fault methodNotAllowed, conflict (no public address), notFound (the provider), unavailable; with a reason
   *   that begins with `provider`
   */
  async begin(request: FlowRequest): Promise<{ address: string; flow: NewFlow }> {
    this.#requireUsable()
    const { connections, flows } = this.#deps
    const provider = await this.#providerOf(request)
    const redirectAddress = this.#redirectAddress(provider.id)
    const connection = await connections.get(provider)
    const flow = await flows.begin(request)
    const address = await authorizationAddress(connection, provider, flow, redirectAddress)
    return { address, flow }
  }

  /**
   * Checks the response of a provider, and keeps it for `finish`, `link` or `test`.
   *
   * @param query of the request to the redirect address
   * @param cookieOf returns the cookie of a flow
   * @returns the flow; with the error if a check failed: then the flow has ended
   * @throws Fault expired (there is no such flow in this browser)
   */
  async receive(
    providerId: string,
    query: string,
    cookieOf: (id: string) => string | undefined,
  ): Promise<{ flow: StoredFlow; error?: unknown }> {
    this.#requireUsable()
    const { connections, flows } = this.#deps
    const state = new URLSearchParams(query).get('state') ?? ''
    const flow = await flows.take(providerId, state, cookieOf)
    try {
      const provider = await this.#providerOf(flow)
      const connection = await connections.get(provider)
      const redirectAddress = this.#redirectAddress(providerId)
      const answer = await readAnswer(connection, flow, state, redirectAddress, query)
      await flows.setAnswer(flow.id, JSON.stringify(answer))
      return { flow }
    } catch (error) {
      await flows.remove(flow.id)
      return { flow, error }
    }
  }

  /**
   * Opens the session of a checked response, once.
   *
   * @throws Fault expired; forbidden with a reason that begins with `identity`: then the identity can be linked; as
   *   `Provisioning.add`
   */
  async finish(id: string, cookie: string | undefined, client: SessionClient): Promise<SignedIn> {
    this.#requireUsable()
    const { flows, identityUsers, knownNetworks, provisioning, sessions } = this.#deps
    const flow = await flows.get(id, cookie)
    if (flow.purpose !== 'signIn' || !(await flows.advance(id, 'answered', 'taken')))
      throw flowEnded()
    const { options } = await this.#providerOf(flow)
    const answer = answerOf(flow)
    const known = await identityUsers.known(answer)
    const decision = await identityUsers.decide(options, answer.claims, known)
    if (decision.refusal !== '') {
      if (decision.refusal === 'identityForbidden') await flows.remove(id)
      else await flows.advance(id, 'taken', 'linkable')
      throw identityRefused(decision)
    }
    await flows.remove(id)
    const account = accountOf(answer)
    const { user, identityId } = await identityUsers.signedIn(account, known, decision)
    await knownNetworks.add(user.id, client.address)
    await provisioning.createDueHome(user)
    const { providerSid, idToken } = answer
    const identity = { id: identityId, providerSid, idToken }
    const token = await sessions.open(user, client, { identity })
    return { username: user.username, token }
  }

  /**
   * Links the identity of a checked response with a user, who has confirmed it (`Confirmations`).
   *
   * @throws Fault expired, conflict (the identity has another user)
   */
  async link(userId: number, id: string, cookie: string | undefined): Promise<void> {
    this.#requireUsable()
    const { flows, identityUsers } = this.#deps
    const flow = await flows.get(id, cookie)
    const from = flow.purpose === 'link' ? 'answered' : 'linkable'
    if (flow.status !== from || flow.purpose === 'test') throw flowEnded()
    const account = accountOf(answerOf(flow))
    await identityUsers.requireLinkable(account, userId)
    if (!(await flows.advance(id, from, 'taken'))) throw flowEnded()
    await flows.remove(id)
    await identityUsers.link(account, userId)
  }

  /**
   * Shows what a checked response would do, and does nothing.
   *
   * @throws Fault expired
   */
  async test(id: string, cookie: string | undefined): Promise<ProviderTest> {
    const { flows, identityUsers } = this.#deps
    const flow = await flows.get(id, cookie)
    if (flow.purpose !== 'test' || flow.status !== 'answered') throw flowEnded()
    const answer = answerOf(flow)
    const { id: provider, options } = await this.#providerOf(flow)
    const outcome = await identityUsers.decide(
      options,
      answer.claims,
      await identityUsers.known(answer),
    )
    return { provider, claims: { ...answer.claims }, outcome }
  }

  /** The accounts at providers that a user logs in with. */
  async linkedOf(userId: number): Promise<LinkedIdentity[]> {
    const { directories, identities, providers } = this.#deps
    const linked = await identities.listOf(userId)
    return Promise.all(
      linked.map(async ({ id, issuer, label, linkedMs, usedMs }) => ({
        id,
        issuer,
        provider:
          (await providers.findByIssuer(issuer))?.label ??
          (await directories.findByIssuer(issuer))?.label ??
          issuer,
        label,
        linked: new Date(linkedMs).toISOString(),
        used: timeOrEmpty(usedMs),
      })),
    )
  }

  /** Unlinks an identity of a user, and ends the sessions that were opened with it. @throws Fault notFound */
  async unlink(userId: number, id: number): Promise<void> {
    const { identities, sessions } = this.#deps
    const identity = await identities.findById(id)
    if (identity?.userId !== userId) throw new Fault('notFound', 'There is no such identity.')
    await identities.remove(id)
    await sessions.endByIdentity(id)
  }

  /** @returns where the log-out of a session continues at its provider; undefined if it does not, or not in time */
  async logoutAddress({ identity: used }: StoredSession): Promise<string | undefined> {
    const { connections, identities, providers } = this.#deps
    if (!used) return undefined
    const identity = await identities.findById(used.id)
    const provider = identity && (await providers.findByIssuer(identity.issuer))
    const returnAddress = this.addressOf(LOGIN_PAGE)
    if (!provider?.isEnabled || !provider.options.logsOut || returnAddress === '') return undefined
    try {
      const timeout = Promise.withResolvers<undefined>()
      const timer = setTimeout(timeout.resolve, LOGOUT_WITHIN_MS)
      const connection = await Promise.race([connections.get(provider), timeout.promise])
      clearTimeout(timer)
      return connection && logoutAddressAt(connection, used.idToken, returnAddress)
    } catch {
      // The session here has ended anyway.
      return undefined
    }
  }

  /** @throws Fault methodNotAllowed */
  #requireUsable(): void {
    if (this.#isUsable) return
    throw new Fault(
      'methodNotAllowed',
      'This server does not use its own passwords for sign-in, so it has no other providers.',
    )
  }

  /** A test is possible before a provider is switched on. @throws Fault notFound */
  async #providerOf({
    provider,
    purpose,
  }: Pick<FlowRequest, 'provider' | 'purpose'>): Promise<StoredProvider> {
    const { providers } = this.#deps
    return purpose === 'test' ? await providers.get(provider) : await providers.getEnabled(provider)
  }

  /** @throws Fault conflict */
  #redirectAddress(id: string): string {
    const address = this.redirectAddressOf(id)
    if (address !== '') return address
    throw new Fault('conflict', 'The public address of this installation is not set.', {
      reason: 'publicAddressMissing',
    })
  }
}

function answerOf({ answer }: StoredFlow): ProviderAnswer {
  // Written only by `receive`.
  return JSON.parse(answer) as ProviderAnswer
}

function accountOf({ issuer, subject, claims }: ProviderAnswer): Account {
  return { issuer, subject, label: labelIn(claims) }
}
