/** Log-in with OpenID Connect providers: a certified provider runs in this process. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { LinkedIdentity, LoginProviders, Provider, ProviderTest } from '#wire/api/identity.ts'
import { LOGOUT_HEADER } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { TestBrowser } from '../support/identity/browser.ts'
import {
  clientOf,
  currentUser,
  finish,
  finished,
  type IdentityApp,
  logInAt,
  openIdentityApp,
} from '../support/identity/identity-app.ts'
import type { TestProvider } from '../support/identity/provider.ts'
import { anonymous, type Client, clientWith, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { changeDatabase } from '../support/server/stored.ts'

const MAKES = { newAccounts: 'all' } as const

let app: IdentityApp
let op: TestProvider
let browser: TestBrowser
let count = 0
/** A person of each test. */
let name: string
beforeAll(async () => {
  app = await openIdentityApp()
  op = await app.provider('op', MAKES)
})
afterAll(() => app.stop())
beforeEach(async () => {
  count += 1
  name = `person${count}`
  browser = new TestBrowser()
  op.person(name, { email: `${name}@example.org`, preferred_username: name })
  await setOptions(MAKES)
})

const setOptions = (options: Parameters<IdentityApp['setProvider']>[2], change?: object) =>
  app.setProvider('op', op.issuer, options, change)

/** Logs in in a new browser. @returns the result of `finished` */
async function attempt(person = name): Promise<string> {
  const its = new TestBrowser()
  return finished(app.url, its, (await logInAt(app.url, its, 'op', person)).flow)
}

async function linkedOf(client: Client): Promise<LinkedIdentity[]> {
  return (await (await client.call('GET', API.identityLinked)).json()) as LinkedIdentity[]
}

/** Links with the password of the user. */
function link(client: Client, its: TestBrowser, flow: string, password = PASSWORD) {
  return its.send(app.url + API.identityLinked, {
    method: 'POST',
    headers: { 'X-Auth': client.token },
    body: JSON.stringify({ flow, current_password: password }),
  })
}

async function reasonOf(answer: Promise<Response>): Promise<string> {
  const { status, headers, body } = await answer
  await body?.cancel()
  return `${status} ${headers.get('x-fault') ?? ''}`.trim()
}

describe('a log-in', () => {
  test('the login page lists the providers in use, without their secrets', async () => {
    const shown = await (await anonymous(app.url).call('GET', API.identity)).json()
    expect(shown).toEqual({ providers: [{ id: 'op', label: 'Provider op' }], redirectsTo: '' })
    await setOptions({ redirects: true })
    const redirecting = await anonymous(app.url).call('GET', API.identity)
    expect(((await redirecting.json()) as LoginProviders).redirectsTo).toBe('op')
    await setOptions(MAKES, { isEnabled: false })
    const none = await (await anonymous(app.url).call('GET', API.identity)).json()
    expect(none).toEqual({ providers: [], redirectsTo: '' })
    const listed = await (await app.admin.call('GET', API.identityProviders)).text()
    expect(listed).not.toContain(op.clientSecret)
  })

  test('a person logs in, gets an account, and returns to the page; no address has a token', async () => {
    const { flow, page } = await logInAt(app.url, browser, 'op', name, '?return=/files/docs/')
    expect(page.searchParams.get('redirect')).toBe('/files/docs/')
    const answer = await finish(app.url, browser, flow)
    const token = await answer.text()
    expect(answer.headers.get('set-cookie')).toContain('SameSite=Strict')
    expect(page.href).not.toContain(token)
    expect(await currentUser(clientWith(app.url, token))).toMatchObject({
      username: name,
      perm: { admin: false, execute: false },
    })
    // The next time it is the same user, also with another name at the provider.
    op.person(name, { preferred_username: 'renamed' })
    expect(await attempt()).toBe(name)
  })

  test('a log-in is finished once, and only in the browser where it began', async () => {
    const { flow } = await logInAt(app.url, browser, 'op', name)
    expect(await finished(app.url, new TestBrowser(), flow)).toBe('404 expired; reason=loginEnded')
    expect(await finished(app.url, browser, flow)).toBe(name)
    expect(await finished(app.url, browser, flow)).toBe('404 expired; reason=loginEnded')
  })

  test('two requests for one log-in open one session', async () => {
    const { flow } = await logInAt(app.url, browser, 'op', name)
    const both = await Promise.all([1, 2].map(() => finished(app.url, browser, flow)))
    expect(both.sort()).toEqual(['404 expired; reason=loginEnded', name])
  })

  test('the response of a provider is taken once', async () => {
    const login = `${app.url}${API.identityLogin}/op`
    const callback = `${app.url}${API.identityCallback}/op`
    const form = await browser.open(login)
    const { url } = await browser.submit(form, { login: name, password: 'x' }, callback)
    const first = await browser.send(url.href)
    expect(first.headers.get('location')).toContain('flow=')
    expect((await browser.send(url.href)).headers.get('location')).toContain('problem=loginEnded')
  })

  test('the response of a provider is refused in another browser', async () => {
    const callback = `${app.url}${API.identityCallback}/op`
    const form = await browser.open(`${app.url}${API.identityLogin}/op`)
    const { url } = await browser.submit(form, { login: name, password: 'x' }, callback)
    const other = await new TestBrowser().send(url.href)
    expect(other.headers.get('location')).toContain('problem=loginEnded')
  })

  test('two tabs log in at the same time', async () => {
    const form = await browser.open(`${app.url}${API.identityLogin}/op`)
    await browser.open(`${app.url}${API.identityLogin}/op`)
    const { url } = await browser.submit(form, { login: name, password: 'x' }, `${app.url}/login`)
    expect(await finished(app.url, browser, url.searchParams.get('flow') ?? '')).toBe(name)
  })

  test('the page to return to is one of the interface', async () => {
    for (const page of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a\nb']) {
      const query = `?return=${encodeURIComponent(page)}`
      const { page: end } = await logInAt(app.url, new TestBrowser(), 'op', name, query)
      expect(end.searchParams.has('redirect'), page).toBe(false)
    }
  })

  test('a provider that is cancelled, unknown or off is a message of the login page', async () => {
    const form = await browser.open(`${app.url}${API.identityLogin}/op`)
    const abort = /href="([^"]*\/abort)"/.exec(form.text)?.[1] ?? ''
    const cancelled = await browser.open(new URL(abort, form.url).href, {}, `${app.url}/login`)
    expect(cancelled.url.searchParams.get('problem')).toBe('providerRefused')
    expect((await logInAt(app.url, browser, 'none', '')).problem).toBe('providerUnknown')
    await setOptions(MAKES, { isEnabled: false })
    expect((await logInAt(app.url, browser, 'op', '')).problem).toBe('providerUnknown')
  })

  test('without a public address, no log-in with a provider is possible', async () => {
    await app.runCommand('config', 'set', '--public-address', '')
    const shown = await (await anonymous(app.url).call('GET', API.identity)).json()
    expect(shown).toEqual({ providers: [], redirectsTo: '' })
    expect((await logInAt(app.url, browser, 'op', '')).problem).toBe('publicAddressMissing')
    await app.runCommand('config', 'set', '--public-address', app.url)
  })

  test('the redirect address comes from the public address, and a log-in elsewhere begins there', async () => {
    const headers = { host: 'evil.example' }
    const begin = `${app.url}${API.identityLogin}/op`
    const moved = await browser.send(`${begin}?return=/files/`, { headers })
    expect(moved.headers.get('location')).toBe(`${begin}?return=%2Ffiles%2F&redirected=true`)
    // A proxy that changes the host does not make a loop.
    const kept = await browser.send(`${begin}?redirected=true`, { headers })
    const location = new URL(kept.headers.get('location') ?? '')
    expect(location.origin).toBe(op.issuer)
    expect(location.searchParams.get('redirect_uri')).toBe(`${app.url}${API.identityCallback}/op`)
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
    })
  })
})

test('beside another sign-in than the own passwords, there are no providers', async () => {
  const server = await startServer({ args: ['--auth.method', 'noauth'] })
  const client = anonymous(server.url)
  expect(await (await client.call('GET', API.identity)).json()).toEqual({
    providers: [],
    redirectsTo: '',
  })
  const begun = await client.call('GET', `${API.identityLogin}/op`)
  expect(begun.headers.get('location')).toBe('/login?problem=methodNotAllowed')
  expect(await outcome(client.call('POST', API.identityFinish, { flow: 'x' }))).toBe(
    '405 methodNotAllowed',
  )
  await server.stop()
})

describe('accounts', () => {
  test('an account is made by choice: never, for members of a group, or for all', async () => {
    await setOptions({ newAccounts: 'off' })
    expect(await attempt()).toBe('403 forbidden; reason=identityUnknown')
    await setOptions({ newAccounts: 'groups', accountGroups: ['family'] })
    expect(await attempt()).toBe('403 forbidden; reason=identityUnknown')
    op.person(name, { preferred_username: name, groups: ['work', 'family'] })
    expect(await attempt()).toBe(name)
  })

  test('a name that is taken is never merged: the account is linked with its password', async () => {
    const anna = await signIn(app.url, 'anna', PASSWORD)
    op.person(name, { preferred_username: 'anna', email: 'anna@example.org' })
    const { flow } = await logInAt(app.url, browser, 'op', name)
    expect(await finished(app.url, browser, flow)).toBe('403 forbidden; reason=identityNameTaken')
    expect(await finished(app.url, browser, flow)).toBe('404 expired; reason=loginEnded')
    expect(await linkedOf(anna)).toEqual([])
    expect(await reasonOf(link(anna, browser, flow, 'wrong'))).toBe(
      '400 badRequest; reason=currentPasswordWrong',
    )
    expect(await reasonOf(link(anna, new TestBrowser(), flow))).toBe(
      '404 expired; reason=loginEnded',
    )
    expect(await linkedOf(anna)).toEqual([])
    expect(await reasonOf(link(anna, browser, flow))).toBe('200')
    expect(await reasonOf(link(anna, browser, flow))).toBe('404 expired; reason=loginEnded')
    expect(await linkedOf(anna)).toMatchObject([
      { issuer: op.issuer, provider: 'Provider op', label: 'anna@example.org', used: '' },
    ])
    expect(await attempt()).toBe('anna')
    // Another account at the provider with the same name and address is another person, in any case of letters.
    for (const username of ['anna', 'Anna', 'ANNA']) {
      op.person(`${name}-2`, { preferred_username: username, email: 'anna@example.org' })
      expect(await attempt(`${name}-2`)).toBe('403 forbidden; reason=identityNameTaken')
    }
    const [identity] = await linkedOf(anna)
    const one = `${API.identityLinked}/${identity?.id}`
    expect(await outcome(anna.call('DELETE', one, { current_password: 'wrong' }))).toBe(
      '400 badRequest',
    )
    const { client: session } = await clientOf(app.url, 'op', name)
    const confirmed = { current_password: PASSWORD }
    const other = await app.person(`${name}-other`)
    expect(await outcome(other.call('DELETE', one, confirmed))).toBe('404 notFound')
    expect(await outcome(anna.call('DELETE', one, confirmed))).toBe('200')
    expect(await outcome(session.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
    expect(await attempt()).toBe('403 forbidden; reason=identityNameTaken')
  })

  test('a user links an account from the profile, and one of another user is refused', async () => {
    const [first, second] = [await app.person(`${name}-a`), await app.person(`${name}-b`)]
    const query = '?purpose=link'
    const { flow, page } = await logInAt(app.url, browser, 'op', name, query)
    expect(page.pathname).toBe('/settings/profile')
    expect(await finished(app.url, browser, flow)).toBe('404 expired; reason=loginEnded')
    expect(await reasonOf(link(first, browser, flow))).toBe('200')
    expect(await attempt()).toBe(`${name}-a`)
    const again = await logInAt(app.url, new TestBrowser(), 'op', name, query)
    expect(again.flow).not.toBe('')
    const its = new TestBrowser()
    const { flow: taken } = await logInAt(app.url, its, 'op', name, query)
    expect(await reasonOf(link(second, its, taken))).toBe('409 conflict; reason=identityTaken')
  })

  test('a deleted user stays out, and no account is made for the same person again', async () => {
    expect(await attempt()).toBe(name)
    const { client } = await clientOf(app.url, 'op', name)
    const { id } = await currentUser(client)
    const removal = { current_password: app.server.password }
    expect(await outcome(app.admin.call('DELETE', `${API.users}/${id}`, removal))).toBe('200')
    expect(await outcome(client.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
    expect(await attempt()).toBe('403 forbidden; reason=identityRemoved')
    // An administrator makes a new account, with which the person links it.
    const { flow } = await logInAt(app.url, browser, 'op', name)
    await finish(app.url, browser, flow)
    const back = await app.person(`${name}-back`)
    expect(await reasonOf(link(back, browser, flow))).toBe('200')
    expect(await attempt()).toBe(`${name}-back`)
  })

  test('a provider without a name for a new user makes no account', async () => {
    op.person(name, {})
    expect(await attempt()).toBe('403 forbidden; reason=identityNameless')
    op.person(name, { email: `mail-${name}@example.org` })
    expect(await attempt()).toBe(`mail-${name}`)
  })
})

describe('groups', () => {
  test('members of a group are administrators: an absent claim keeps it, an empty one removes it', async () => {
    const options = { ...MAKES, adminGroups: ['admins'] }
    await setOptions(options)
    expect(await attempt()).toBe(name)
    op.person(name, { preferred_username: name, groups: ['admins'] })
    expect(await attempt()).toBe(`${name}, administrator`)
    op.person(name, { preferred_username: name })
    expect(await attempt()).toBe(`${name}, administrator`)
    op.person(name, { preferred_username: name, groups: null })
    expect(await attempt()).toBe(`${name}, administrator`)
    const { client } = await clientOf(app.url, 'op', name)
    op.person(name, { preferred_username: name, groups: [] })
    expect(await attempt()).toBe(name)
    expect(await outcome(client.call('GET', API.users))).toBe('401 unauthenticated')
  })

  test('without such a group, the provider changes no administrator', async () => {
    op.person(name, { preferred_username: name, groups: ['admins'] })
    expect(await attempt()).toBe(name)
    await app.runCommand('users', 'update', name, '--perm.admin')
    op.person(name, { preferred_username: name, groups: [] })
    expect(await attempt()).toBe(`${name}, administrator`)
  })

  test('only members of a group may log in, and an absent claim means what it said before', async () => {
    const options = { ...MAKES, loginGroups: ['family'] }
    await setOptions(options)
    expect(await attempt()).toBe('403 forbidden; reason=identityForbidden')
    op.person(name, { preferred_username: name, groups: ['family'] })
    expect(await attempt()).toBe(name)
    op.person(name, { preferred_username: name })
    expect(await attempt()).toBe(name)
    op.person(name, { preferred_username: name, groups: ['work'] })
    expect(await attempt()).toBe('403 forbidden; reason=identityForbidden')
  })
})

describe('a log-out', () => {
  test('a log-out continues at the provider, and returns to the login page', async () => {
    const { client } = await clientOf(app.url, 'op', name)
    const silent = await client.call('POST', API.logout)
    expect(silent.headers.has(LOGOUT_HEADER)).toBe(false)
    await setOptions({ ...MAKES, logsOut: true })
    const { client: other, browser: its } = await clientOf(app.url, 'op', name)
    const out = await other.call('POST', API.logout)
    const address = out.headers.get(LOGOUT_HEADER) ?? ''
    expect(address).toStartWith(`${op.issuer}/session/end?`)
    expect(await outcome(other.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
    const question = await its.open(address)
    const end = await its.submit(question, { logout: 'yes' }, `${app.url}/login`)
    expect(end.url.href).toBe(`${app.url}/login?state=out`)
    // A session that was opened with a password has no provider.
    const own = await (await app.person(`${name}-own`)).call('POST', API.logout)
    expect(own.headers.has(LOGOUT_HEADER)).toBe(false)
  })

  test('a log-out at the provider ends the session here, and no other', async () => {
    const { client, browser: its } = await clientOf(app.url, 'op', name)
    const { client: elsewhere } = await clientOf(app.url, 'op', name)
    op.person(`${name}-2`, { preferred_username: `${name}-2` })
    const { client: other } = await clientOf(app.url, 'op', `${name}-2`)
    const question = await its.open(`${op.issuer}/session/end`)
    await its.submit(question, { logout: 'yes' })
    expect(await outcome(client.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
    expect(await outcome(elsewhere.call('GET', `${API.resources}/`))).toBe('200')
    expect(await outcome(other.call('GET', `${API.resources}/`))).toBe('200')
  })
})

describe('a provider that is switched off', () => {
  const isIn = async (client: Client) => (await client.call('GET', API.identityLinked)).status

  test('its sessions end, and those of passwords and other providers stay', async () => {
    const other = await app.provider('other', MAKES)
    other.person(name, { email: `${name}2@example.org`, preferred_username: `${name}2` })
    const { client } = await clientOf(app.url, 'op', name)
    const { client: elsewhere } = await clientOf(app.url, 'other', name)
    await setOptions(MAKES, { isEnabled: false })
    expect(await isIn(client)).toBe(401)
    expect(await isIn(elsewhere)).toBe(200)
    expect(await isIn(app.admin)).toBe(200)
    await setOptions(MAKES)
    const { client: again } = await clientOf(app.url, 'op', name)
    await app.runCommand('identity', 'disable', 'op')
    expect(await isIn(again)).toBe(401)
    expect(await isIn(elsewhere)).toBe(200)
  })

  test('its sessions end when it is removed, or has another issuer', async () => {
    const removed = await app.provider('removed', MAKES)
    removed.person(name, { email: `${name}3@example.org`, preferred_username: `${name}3` })
    const { client } = await clientOf(app.url, 'removed', name)
    const moved = await app.setProvider('removed', 'https://elsewhere.example', MAKES)
    expect(moved.status).toBe(200)
    expect(await isIn(client)).toBe(401)
    await app.setProvider('removed', removed.issuer, MAKES)
    const { client: again } = await clientOf(app.url, 'removed', name)
    const target = `${API.identityProviders}/removed`
    const body = { current_password: app.server.password }
    expect((await app.admin.call('DELETE', target, body)).status).toBe(200)
    expect(await isIn(again)).toBe(401)
  })
})

describe('administration', () => {
  test('only administrators see and change providers, and confirm it with the password', async () => {
    const body = { current_password: PASSWORD, provider: {} }
    for (const [method, path] of [
      ['GET', API.identityProviders],
      ['POST', API.identityProviders],
      ['PUT', `${API.identityProviders}/op`],
      ['DELETE', `${API.identityProviders}/op`],
      ['POST', API.identityDiscovery],
      ['POST', `${API.identityProviders}/op/test`],
      ['POST', API.identityTest],
    ] as const) {
      const sent = method === 'GET' ? undefined : body
      expect(await outcome(app.anonymous.call(method, path, sent)), path).toBe(
        '401 unauthenticated',
      )
      expect(await outcome(app.anna.call(method, path, sent)), path).toBe('403 forbidden')
    }
    const wrong = { current_password: 'wrong' }
    const [provider] = (await (
      await app.admin.call('GET', API.identityProviders)
    ).json()) as Provider[]
    expect(
      await outcome(app.admin.call('PUT', `${API.identityProviders}/op`, { ...wrong, provider })),
    ).toBe('400 badRequest')
    expect(await outcome(app.admin.call('DELETE', `${API.identityProviders}/op`, wrong))).toBe(
      '400 badRequest',
    )
  })

  test('a provider is added, changed without its secret, and removed', async () => {
    const added = await app.setProvider('second', 'https://login.example.org')
    expect(added.status).toBe(201)
    expect(await added.json()).toMatchObject({
      id: 'second',
      hasSecret: true,
      redirectAddress: `${app.url}${API.identityCallback}/second`,
      backchannelAddress: `${app.url}${API.identityBackchannel}/second`,
      logoutAddress: `${app.url}/login`,
    })
    const changed = await app.setProvider('second', 'https://login.example.org', {
      redirects: true,
    })
    expect(await changed.json()).toMatchObject({ hasSecret: true, options: { redirects: true } })
    // One provider opens by itself.
    await setOptions({ redirects: true })
    const list = (await (await app.admin.call('GET', API.identityProviders)).json()) as Provider[]
    expect(list.filter(({ options }) => options.redirects).map(({ id }) => id)).toEqual(['op'])
    const removal = { current_password: app.server.password }
    const second = `${API.identityProviders}/second`
    expect(await outcome(app.admin.call('DELETE', second, removal))).toBe('200')
    expect(await outcome(app.admin.call('DELETE', second, removal))).toBe('404 notFound')
    for (const issuer of ['http://login.example.org', 'ftp://x', 'x', 'https://u:p@x.example']) {
      expect(await reasonOf(app.setProvider('third', issuer)), issuer).toContain('issuerInvalid')
    }
  })

  test('a provider is discovered', async () => {
    const found = await app.admin.call('POST', API.identityDiscovery, { issuer: op.issuer })
    expect(await found.json()).toMatchObject({
      issuer: op.issuer,
      endSession: `${op.issuer}/session/end`,
      hasBackchannel: true,
      hasPkce: true,
      namesIssuer: true,
    })
  })

  test('a test shows the claims and what they would become, and changes no session', async () => {
    await setOptions({ ...MAKES, adminGroups: ['admins'] }, { isEnabled: false })
    op.person(name, { preferred_username: name, groups: ['family'] })
    const cookies = { headers: { 'X-Auth': app.admin.token }, method: 'POST' }
    const begun = await browser.send(`${app.url}${API.identityProviders}/op/test`, cookies)
    const { address } = (await begun.json()) as { address: string }
    const form = await browser.open(address)
    const { url } = await browser.submit(
      form,
      { login: name, password: 'x' },
      `${app.url}/settings`,
    )
    const flow = url.searchParams.get('flow') ?? ''
    expect(await finished(app.url, browser, flow)).toBe('404 expired; reason=loginEnded')
    const before = await (await app.admin.call('GET', `${API.sessions}?all=true`)).json()
    const body = JSON.stringify({ flow })
    const shown = await browser.send(app.url + API.identityTest, { ...cookies, body })
    expect((await shown.json()) as ProviderTest).toMatchObject({
      provider: 'op',
      claims: { sub: name, preferred_username: name, groups: ['family'] },
      outcome: {
        username: name,
        isNew: true,
        isAdmin: false,
        adminReason: 'noMember',
        groups: ['family'],
        refusal: '',
      },
    })
    const users = await (await app.admin.call('GET', API.users)).text()
    expect(users).not.toContain(`"${name}"`)
    expect(await (await app.admin.call('GET', `${API.sessions}?all=true`)).json()).toEqual(before)
    const other = new TestBrowser()
    expect(await reasonOf(other.send(app.url + API.identityTest, { ...cookies, body }))).toBe(
      '404 expired; reason=loginEnded',
    )
  })
})

describe('a user without an own password', () => {
  const make = (client: Client) =>
    reasonOf(
      client.call('POST', API.appPasswords, {
        ...{ name: 'sync', permissions: ['download'], current_password: '' },
      }),
    )

  test('confirms changes by the log-in with the provider, for five minutes', async () => {
    const { flow } = await logInAt(app.url, browser, 'op', name)
    const client = clientWith(app.url, await (await finish(app.url, browser, flow)).text())
    expect(await make(client)).toBe('201')
    changeDatabase(
      app,
      'UPDATE sessions SET created_ms = created_ms - 301000 WHERE identity_id <> 0',
    )
    expect(await make(client)).toBe('400 badRequest; reason=providerLoginOld')
    // A session with the own password is confirmed by nothing else.
    expect(await make(app.anna)).toBe('400 badRequest; reason=currentPasswordWrong')
  })

  test('needs no second factor here: the provider has factors of its own', async () => {
    const { flow } = await logInAt(app.url, browser, 'op', name)
    const client = clientWith(app.url, await (await finish(app.url, browser, flow)).text())
    const list = (who: Client) => reasonOf(who.call('GET', `${API.resources}/`))
    const person = await app.person('withoutfactor')
    await app.runCommand('config', 'set', 'secondFactorFor', 'all')
    await app.runCommand('config', 'set', 'secondFactorFrom', '2026-01-01')
    try {
      expect(await list(person)).toBe('403 forbidden; reason=factorDue')
      expect(await list(client)).toBe('200')
      const factor = await client.call('GET', API.secondFactor)
      expect(await factor.json()).toMatchObject({ requiredFrom: '' })
    } finally {
      await app.runCommand('config', 'set', 'secondFactorFor', 'none')
    }
  })
})
