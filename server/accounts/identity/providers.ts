/** The OpenID Connect providers of an installation. */
import type { ProviderRows, StoredProvider } from '#server/db/rows/providers.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { LoginProviders, ProviderChange } from '#wire/api/identity.ts'
import { Fault } from '#wire/fault.ts'
import { issuerUrl } from './provider-connections.ts'

/** Ends the sessions that were opened with an issuer. @returns how many have ended */
export type EndSessions = (issuer: string) => Promise<number>

export class Providers {
  readonly #rows: ProviderRows
  readonly #endSessions: EndSessions

  constructor(rows: ProviderRows, endSessions: EndSessions) {
    this.#rows = rows
    this.#endSessions = endSessions
  }

  list(): Promise<StoredProvider[]> {
    return this.#rows.list()
  }

  async ids(): Promise<string[]> {
    return (await this.#rows.list()).map(({ id }) => id)
  }

  /** What the login page shows. */
  async shown(): Promise<LoginProviders> {
    const providers = (await this.#rows.list()).filter(({ isEnabled }) => isEnabled)
    const redirectsTo = providers.find(({ options }) => options.redirects)?.id ?? ''
    return { providers: providers.map(({ id, label }) => ({ id, label })), redirectsTo }
  }

  /** @throws Fault notFound */
  async get(id: string): Promise<StoredProvider> {
    const provider = await this.#rows.find(id)
    if (provider) return provider
    throw new Fault('notFound', `There is no provider ${id}.`, { reason: 'providerUnknown' })
  }

  /** @throws Fault notFound (there is none, or it is switched off) */
  async getEnabled(id: string): Promise<StoredProvider> {
    const provider = await this.get(id)
    if (provider.isEnabled) return provider
    throw new Fault('notFound', `The provider ${id} is switched off.`, {
      reason: 'providerUnknown',
    })
  }

  /** @returns the provider in use with an issuer, the first if there are several */
  async findByIssuer(issuer: string): Promise<StoredProvider | undefined> {
    return (await this.#rows.list()).find((provider) => isSameIssuer(provider.issuer, issuer))
  }

  /**
   * Adds a provider. If others open by themselves, they do not any more when this one does.
   *
   * @param otherIds reads the ids of directories, in the same transaction
   * @throws Fault badRequest (address of the issuer), conflict (the id is taken), tooMany
   */
  async add(change: ProviderChange, otherIds: () => Promise<readonly string[]>): Promise<void> {
    await this.#rows.atomically(async () => {
      const providers = await this.#rows.list()
      if ([...(await otherIds()), ...providers.map(({ id }) => id)].includes(change.id)) {
        throw new Fault('conflict', `There is a provider ${change.id} already.`)
      }
      if (providers.length >= SERVER_LIMITS.providersMax) {
        throw new Fault('tooMany', `There can be ${SERVER_LIMITS.providersMax} providers.`)
      }
      await this.#put(change, change.clientSecret ?? '')
    })
  }

  /**
   * Changes a provider. If it is switched off, or has another issuer, the sessions that it opened end.
   *
   * @throws Fault badRequest (address of the issuer), notFound
   */
  async change(change: ProviderChange): Promise<void> {
    await this.#rows.atomically(async () => {
      const { issuer, clientSecret } = await this.get(change.id)
      await this.#put(change, change.clientSecret ?? clientSecret)
      if (!change.isEnabled || !isSameIssuer(issuer, change.issuer)) await this.#endSessions(issuer)
    })
  }

  /**
   * Switches a provider on or off.
   *
   * @returns how many sessions that it opened have ended
   * @throws Fault notFound
   */
  async setEnabled(id: string, isEnabled: boolean): Promise<number> {
    return this.#rows.atomically(async () => {
      const provider = await this.get(id)
      await this.#rows.put({ ...provider, isEnabled })
      return isEnabled ? 0 : await this.#endSessions(provider.issuer)
    })
  }

  /**
   * Users stay linked: they can log in again when a provider with the same issuer is added.
   *
   * @returns how many sessions that it opened have ended
   * @throws Fault notFound
   */
  async remove(id: string): Promise<number> {
    return this.#rows.atomically(async () => {
      const { issuer } = await this.get(id)
      await this.#rows.remove(id)
      return this.#endSessions(issuer)
    })
  }

  async #put(
    { id, label, issuer, clientID, isEnabled, options }: ProviderChange,
    clientSecret: string,
  ): Promise<void> {
    issuerUrl(issuer)
    await this.#rows.put({
      id,
      label,
      issuer,
      clientId: clientID,
      clientSecret,
      options,
      isEnabled,
    })
    if (!options.redirects) return
    for (const other of await this.#rows.list()) {
      if (other.id === id || !other.options.redirects) continue
      await this.#rows.put({ ...other, options: { ...other.options, redirects: false } })
    }
  }
}

/** A slash at the end makes no other issuer for people who type it. */
function isSameIssuer(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '')
}
