/** The OpenID Connect providers of an installation. */
import type { ProviderRows, StoredProvider } from '#server/db/rows/providers.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { LoginProviders, ProviderChange } from '#wire/api/identity.ts'
import { Fault } from '#wire/fault.ts'
import { issuerUrl } from './provider-connections.ts'

/** Ends the sessions that were opened with an issuer. @returns how many have ended */
export type EndSessions = (issuer: string) => number

export class Providers {
  readonly #rows: ProviderRows
  readonly #endSessions: EndSessions

  constructor(rows: ProviderRows, endSessions: EndSessions) {
    this.#rows = rows
    this.#endSessions = endSessions
  }

  list(): StoredProvider[] {
    return this.#rows.list()
  }

  /** What the login page shows. */
  shown(): LoginProviders {
    const providers = this.#rows.list().filter(({ isEnabled }) => isEnabled)
    const redirectsTo = providers.find(({ options }) => options.redirects)?.id ?? ''
    return { providers: providers.map(({ id, label }) => ({ id, label })), redirectsTo }
  }

  /** @throws Fault notFound */
  get(id: string): StoredProvider {
    const provider = this.#rows.find(id)
    if (provider) return provider
    throw new Fault('notFound', `There is no provider ${id}.`, { reason: 'providerUnknown' })
  }

  /** @throws Fault notFound (there is none, or it is switched off) */
  getEnabled(id: string): StoredProvider {
    const provider = this.get(id)
    if (provider.isEnabled) return provider
    throw new Fault('notFound', `The provider ${id} is switched off.`, {
      reason: 'providerUnknown',
    })
  }

  /** @returns the provider in use with an issuer, the first if there are several */
  findByIssuer(issuer: string): StoredProvider | undefined {
    return this.#rows.list().find((provider) => isSameIssuer(provider.issuer, issuer))
  }

  /**
   * Adds a provider. If others open by themselves, they do not any more when this one does.
   *
   * @param takenIds ids of directories
   * @throws Fault badRequest (address of the issuer), conflict (the id is taken), tooMany
   */
  add(change: ProviderChange, takenIds: readonly string[]): void {
    const providers = this.#rows.list()
    if ([...takenIds, ...providers.map(({ id }) => id)].includes(change.id)) {
      throw new Fault('conflict', `There is a provider ${change.id} already.`)
    }
    if (providers.length >= SERVER_LIMITS.providersMax) {
      throw new Fault('tooMany', `There can be ${SERVER_LIMITS.providersMax} providers.`)
    }
    this.#put(change, change.clientSecret ?? '')
  }

  /**
   * Changes a provider. If it is switched off, or has another issuer, the sessions that it opened end.
   *
   * @throws Fault badRequest (address of the issuer), notFound
   */
  change(change: ProviderChange): void {
    const { issuer, clientSecret } = this.get(change.id)
    this.#put(change, change.clientSecret ?? clientSecret)
    if (!change.isEnabled || !isSameIssuer(issuer, change.issuer)) this.#endSessions(issuer)
  }

  /**
   * Switches a provider on or off.
   *
   * @returns how many sessions that it opened have ended
   * @throws Fault notFound
   */
  setEnabled(id: string, isEnabled: boolean): number {
    const provider = this.get(id)
    this.#rows.put({ ...provider, isEnabled })
    return isEnabled ? 0 : this.#endSessions(provider.issuer)
  }

  /**
   * Users stay linked: they can log in again when a provider with the same issuer is added.
   *
   * @returns how many sessions that it opened have ended
   * @throws Fault notFound
   */
  remove(id: string): number {
    const { issuer } = this.get(id)
    this.#rows.remove(id)
    return this.#endSessions(issuer)
  }

  #put(
    { id, label, issuer, clientID, isEnabled, options }: ProviderChange,
    clientSecret: string,
  ): void {
    issuerUrl(issuer)
    this.#rows.put({ id, label, issuer, clientId: clientID, clientSecret, options, isEnabled })
    if (!options.redirects) return
    for (const other of this.#rows.list()) {
      if (other.id === id || !other.options.redirects) continue
      this.#rows.put({ ...other, options: { ...other.options, redirects: false } })
    }
  }
}

/** A slash at the end makes no other issuer for people who type it. */
function isSameIssuer(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '')
}
