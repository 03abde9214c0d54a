/** Administration of the providers that users can log in with, and one's own accounts at them. */
import * as directoryApi from '#ui/api/accounts/directories.ts'
import * as api from '#ui/api/accounts/identity.ts'
import type { ShownDirectory } from '#wire/api/directory.ts'
import type { LinkedIdentity, Provider, ProviderChange, ShownProvider } from '#wire/api/identity.ts'
import { confirmed } from '../session/reauth.ts'

export const listProviders = api.providers
export const discoverProvider = api.discover
export const loadTestResult = api.testResult

/**
 * Adds or changes a provider.
 *
 * @returns the stored provider; undefined if the user cancelled
 * @throws Fault badRequest, conflict
 */
export function saveProvider(
  change: ProviderChange,
  isNew: boolean,
): Promise<Provider | undefined> {
  return confirmed((password) => api.saveProvider(change, isNew, password))
}

/** @returns false if the user cancelled */
export async function removeProvider(id: string): Promise<boolean> {
  const done = await confirmed(async (password) => {
    await api.removeProvider(id, password)
    return true as const
  })
  return done ?? false
}

/** Opens the provider for a test. The page is left, and comes back with the result. */
export async function testProvider(id: string): Promise<void> {
  location.assign(await api.beginTest(id))
}

/** One's own accounts at providers and in directories, and those to link with. */
export async function ownIdentities(): Promise<{
  linked: LinkedIdentity[]
  providers: ShownProvider[]
  directories: ShownDirectory[]
}> {
  const [linked, { providers }, directories] = await Promise.all([
    api.linked(),
    api.loginProviders(),
    directoryApi.linkable(),
  ])
  return { linked, providers, directories }
}

/** Begins to link an account at a provider. The page is left, and comes back with the flow. */
export function beginLink(id: string): void {
  location.assign(api.providerLinkUrl(id))
}

/** @returns false if the user cancelled */
export async function linkIdentity(flow: string): Promise<boolean> {
  const done = await confirmed(async (password) => {
    await api.link(flow, password)
    return true as const
  })
  return done ?? false
}

/** @returns false if the user cancelled */
export async function unlinkIdentity(id: number): Promise<boolean> {
  const done = await confirmed(async (password) => {
    await api.unlink(id, password)
    return true as const
  })
  return done ?? false
}
