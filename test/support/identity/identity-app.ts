/** A server with a public address, to which providers are added, and log-ins with them. */
import { type ProviderOptions, STANDARD_OPTIONS } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, clientWith } from '../server/client.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'
import { TestBrowser } from './browser.ts'
import { startProvider, type TestProvider } from './provider.ts'

export interface IdentityApp extends TestApp {
  /** Starts a certified provider, and adds it with an id. */
  provider(id: string, options?: Partial<ProviderOptions>): Promise<TestProvider>
  /** Adds a provider, or changes it. */
  setProvider(
    id: string,
    issuer: string,
    options?: Partial<ProviderOptions>,
    change?: object,
  ): Promise<Response>
}

export async function openIdentityApp(): Promise<IdentityApp> {
  const app = await openTestApp()
  await app.runCommand('config', 'set', '--public-address', app.url)
  const providers: TestProvider[] = []
  const known = new Set<string>()
  const setProvider: IdentityApp['setProvider'] = async (id, issuer, options, change) => {
    const provider = {
      id,
      label: `Provider ${id}`,
      issuer,
      clientID: 'filemgr',
      isEnabled: true,
      options: { ...STANDARD_OPTIONS, scopes: 'openid profile email groups', ...options },
      ...(known.has(id) ? {} : { clientSecret: 'the secret of the client' }),
      ...change,
    }
    const [method, path] = known.has(id)
      ? ['PUT', `${API.identityProviders}/${id}`]
      : ['POST', API.identityProviders]
    const body = { current_password: app.server.password, provider }
    const answer = await app.admin.call(method, path, body)
    if (answer.ok) known.add(id)
    return answer
  }
  return {
    ...app,
    setProvider,
    async provider(id, options) {
      const provider = await startProvider({
        redirect: `${app.url}${API.identityCallback}/${id}`,
        logout: `${app.url}/login`,
        backchannel: `${app.url}${API.identityBackchannel}/${id}`,
      })
      providers.push(provider)
      const answer = await setProvider(id, provider.issuer, options)
      if (!answer.ok) throw new Error(await answer.text())
      return provider
    },
    async stop() {
      for (const provider of providers) await provider.stop()
      await app.stop()
    },
  }
}

/** Where a log-in at the provider has led: the query of the page of the interface. */
export interface Returned {
  flow: string
  problem: string
  page: URL
}

/**
 * Logs in at a certified provider.
 *
 * @param name the person at the provider; empty if the browser has a session there
 */
export async function logInAt(
  url: string,
  browser: TestBrowser,
  id: string,
  name: string,
  query = '',
): Promise<Returned> {
  const start = `${url}${API.identityLogin}/${id}${query}`
  const until = query.includes('purpose=link') ? `${url}/settings/` : `${url}/login?`
  const page = await browser.open(start, {}, until)
  const form = { login: name, password: 'x' }
  const end = name === '' ? page : await browser.submit(page, form, until)
  return returnedTo(end.url)
}

export function returnedTo(page: URL): Returned {
  const { searchParams } = page
  return {
    flow: searchParams.get('flow') ?? '',
    problem: searchParams.get('problem') ?? '',
    page,
  }
}

/** Asks for the session of a log-in. */
export function finish(url: string, browser: TestBrowser, flow: string): Promise<Response> {
  return browser.send(url + API.identityFinish, {
    method: 'POST',
    body: JSON.stringify({ flow }),
  })
}

/** Status and reason, or the name of the user who is signed in. */
export async function finished(url: string, browser: TestBrowser, flow: string): Promise<string> {
  const response = await finish(url, browser, flow)
  const token = await response.text()
  if (!response.ok) return `${response.status} ${response.headers.get('x-fault')}`
  const user = await currentUser(clientWith(url, token))
  return user.perm.admin ? `${user.username}, administrator` : user.username
}

/** The user of a client, as the server knows it now. */
export async function currentUser(client: Client) {
  const claims = JSON.parse(
    atob(client.token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''),
  )
  const answer = await client.call('GET', `${API.users}/${claims.user.id}`)
  // The shape of `userShape`; the fields that tests read.
  return (await answer.json()) as {
    id: number
    username: string
    perm: { admin: boolean; execute: boolean }
  }
}

/** Logs in at a provider in a new browser. @returns a client with the session, and the browser */
export async function clientOf(
  url: string,
  id: string,
  name: string,
): Promise<{ client: Client; browser: TestBrowser }> {
  const browser = new TestBrowser()
  const { flow } = await logInAt(url, browser, id, name)
  const response = await finish(url, browser, flow)
  const token = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${token}`)
  return { client: clientWith(url, token), browser }
}
