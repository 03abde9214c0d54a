/** The OpenID Connect providers of an installation. */
import type { ProviderRows, StoredProvider } from '#server/db/rows/providers.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { LoginProviders, ProviderChange } from '#wire/api/identity.ts'
import { Fault } from '#wire/fault.ts'
import { issuerUrl } from './provider-connections.ts'

export class Providers {
  readonly #rows: ProviderRows

  constructor(rows: ProviderRows) {
    this.#rows = rows
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
   * @throws Fault badRequest (address of the issuer), conflict (the id is taken), tooMany
   */
  add(change: ProviderChange): void {
    const providers = this.#rows.list()
    if (providers.some(({ id }) => id === change.id)) {
      throw new Fault('conflict', `There is a provider ${change.id} already.`)
    }
    if (providers.length >= SERVER_LIMITS.providersMax) {
      throw new Fault('tooMany', `There can be ${SERVER_LIMITS.providersMax} providers.`)
    }
    this.#put(change, change.clientSecret ?? '')
  }

  /** @throws Fault badRequest (address of the issuer), notFound */
  change(change: ProviderChange): void {
    this.#put(change, change.clientSecret ?? this.get(change.id).clientSecret)
  }

  /** @throws Fault notFound */
  setEnabled(id: string, isEnabled: boolean): void {
    this.#rows.put({ ...this.get(id), isEnabled })
  }

  /** Users stay linked: they can log in again when a provider with the same issuer is added. @throws Fault notFound */
  remove(id: string): void {
    if (!this.#rows.remove(id)) this.get(id)
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
