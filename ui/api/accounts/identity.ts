/** Log-in with OpenID Connect providers (docs/api.md 36). */
import { withBase } from '#ui/lib/page/location.ts'
import type {
  BegunFlow,
  Discovered,
  LinkedIdentity,
  LoginProviders,
  Provider,
  ProviderChange,
  ProviderTest,
} from '#wire/api/identity.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { asJson } from '../client/as-json.ts'
import { request, requestJson } from '../client/request.ts'

/** @returns what the login page shows */
export function loginProviders(): Promise<LoginProviders> {
  return requestJson(API.identity, { anonymous: true })
}

/**
 * The address that begins a log-in at a provider; the browser opens it.
 *
 * @param returnTo a URL of the app to open afterwards
 */
export function providerLoginUrl(id: string, returnTo: string): string {
  return withBase(`${API.identityLogin}/${id}${queryString({ return: returnTo })}`)
}

/** The address that begins to link an account at a provider. */
export function providerLinkUrl(id: string): string {
  return withBase(`${API.identityLogin}/${id}${queryString({ purpose: 'link' })}`)
}

/** @returns the accounts at providers that the user logs in with */
export function linked(): Promise<LinkedIdentity[]> {
  return requestJson(API.identityLinked)
}

/** @throws Fault badRequest (the password is wrong, or a code is needed), expired, conflict */
export async function link(flow: string, currentPassword: string): Promise<void> {
  const body = { flow, current_password: currentPassword }
  await request(API.identityLinked, asJson('POST', body))
}

/** @throws Fault badRequest (the password is wrong, or a code is needed) */
export async function unlink(id: number, currentPassword: string): Promise<void> {
  const body = { current_password: currentPassword }
  await request(`${API.identityLinked}/${id}`, asJson('DELETE', body))
}

/** @throws Fault forbidden */
export function providers(): Promise<Provider[]> {
  return requestJson(API.identityProviders)
}

/** Adds or changes a provider. @throws Fault badRequest, conflict (the id is taken) */
export function saveProvider(
  provider: ProviderChange,
  isNew: boolean,
  currentPassword: string,
): Promise<Provider> {
  const body = { provider, current_password: currentPassword }
  const url = isNew ? API.identityProviders : `${API.identityProviders}/${provider.id}`
  return requestJson(url, asJson(isNew ? 'POST' : 'PUT', body))
}

/** @throws Fault badRequest */
export async function removeProvider(id: string, currentPassword: string): Promise<void> {
  const body = { current_password: currentPassword }
  await request(`${API.identityProviders}/${id}`, asJson('DELETE', body))
}

/** @throws Fault with a reason that begins with `provider` */
export function discover(issuer: string): Promise<Discovered> {
  return requestJson(API.identityDiscovery, asJson('POST', { issuer }))
}

/** @returns the address to open for a test. @throws as `discover` */
export async function beginTest(id: string): Promise<string> {
  const url = `${API.identityProviders}/${id}/test`
  const { address } = await requestJson<BegunFlow>(url, asJson('POST', {}))
  return address
}

/** @throws Fault expired */
export function testResult(flow: string): Promise<ProviderTest> {
  return requestJson(API.identityTest, asJson('POST', { flow }))
}
