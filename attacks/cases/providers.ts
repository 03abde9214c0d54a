/** Log-in with OpenID Connect providers, beside one that says what an attacker wants. */
import type { ProviderOptions } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import {
  type BentToken,
  openSoftProvider,
  PROVIDER_CLIENT,
  type SoftProvider,
} from '../soft-provider.ts'

/** What a log-in needs at least, as characters of a random text: 128 bits. */
const SECRET_MIN_CHARS = 22

/** A log-in that has begun: where the browser is sent, and the cookie that it got. */
interface Begun {
  request: URL
  cookie: string
}

interface Person {
  sub: string
  preferred_username: string
}

/** Runs an attack beside a provider that makes accounts for all. */
async function withProvider(
  fixture: Fixture,
  options: Partial<ProviderOptions>,
  run: (provider: SoftProvider) => Promise<void>,
): Promise<void> {
  using provider = openSoftProvider()
  const confirmed = { current_password: fixture.password }
  works(await fixture.settings({ publicAddress: fixture.url }), 'the public address')
  const added = await fixture.call('admin', 'POST', API.identityProviders, {
    ...confirmed,
    provider: {
      id: 'attack',
      label: 'attack',
      issuer: provider.issuer,
      clientID: PROVIDER_CLIENT,
      clientSecret: 'the secret of the client',
      isEnabled: true,
      options: { newAccounts: 'all', ...options },
    },
  })
  works(added, 'a provider', 201)
  try {
    await run(provider)
  } finally {
    const removal = await fixture.call(
      'admin',
      'DELETE',
      `${API.identityProviders}/attack`,
      confirmed,
    )
    works(removal, 'its removal')
    works(await fixture.settings({ publicAddress: '' }), 'the public address before')
  }
}

async function begin(fixture: Fixture): Promise<Begun> {
  const begun = works(
    await fixture.call('', 'GET', `${API.identityLogin}/attack`),
    'the begin of a log-in',
    302,
  )
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';')
  return { request: new URL(begun.headers.get('location') ?? ''), cookie }
}

/** Goes back to filemgr. @returns the query of the page of the interface */
async function goBack(
  fixture: Fixture,
  cookie: string,
  query: URLSearchParams,
): Promise<URLSearchParams> {
  const target = `${API.identityCallback}/attack?${query}`
  const back = works(
    await fixture.call('', 'GET', target, undefined, { cookie }),
    'the way back',
    302,
  )
  return new URL(back.headers.get('location') ?? '', fixture.url).searchParams
}

const finish = (fixture: Fixture, cookie: string, flow: string) =>
  fixture.call('', 'POST', API.identityFinish, { flow }, { cookie })

/** A whole log-in of a person. @returns the response with the session; the problem if there is none */
async function logIn(fixture: Fixture, provider: SoftProvider, person: Person, bent?: BentToken) {
  const { request, cookie } = await begin(fixture)
  const back = await goBack(fixture, cookie, provider.logIn(request, person, bent))
  const problem = back.get('problem')
  return problem ?? finish(fixture, cookie, back.get('flow') ?? '')
}

export const providerCases: AttackCase[] = [
  {
    id: 'G-234',
    attack: 'an ID token that is forged, for another log-in, or of another issuer',
    reason:
      'state, nonce, proof of the code, issuer, audience, time and signature of each log-in are compared',
    advisories: ['FileBrowser Quantum up to 2.0.8 (state, nonce and PKCE of OpenID Connect)'],
    run: (fixture) =>
      withProvider(fixture, {}, async (provider) => {
        const person = { sub: '234-1', preferred_username: 'olga' }
        const expired = Math.floor(Date.now() / 1000) - 3600
        const bends: [string, BentToken][] = [
          ['of another log-in', { claims: { nonce: 'x' } }],
          ['without a nonce', { claims: { nonce: undefined } }],
          ['for another client', { claims: { aud: 'other' } }],
          ['of another issuer', { claims: { iss: 'https://evil.example' } }],
          ['that has expired', { claims: { exp: expired } }],
          ['of another key', { signed: 'elsewhere' }],
          ['without a signature', { header: { alg: 'none' }, signed: 'never' }],
          ['with an empty signature', { signed: 'never' }],
        ]
        for (const [what, bent] of bends) {
          const problem = await logIn(fixture, provider, person, bent)
          assert(typeof problem === 'string', `a token ${what} was accepted`)
        }
        const { request, cookie } = await begin(fixture)
        const mixedUp = provider.logIn(request, person)
        mixedUp.set('iss', 'https://evil.example')
        const back = await goBack(fixture, cookie, mixedUp)
        assert(back.has('problem'), 'a response in the name of another issuer was accepted')
        const right = await logIn(fixture, provider, person)
        assert(typeof right !== 'string', `the right token was refused: ${right}`)
        works(right, 'the right token')
      }),
  },
  {
    id: 'G-235',
    attack: 'a log-in with what another browser began, with the code of another, or twice',
    reason:
      'each log-in has a random state and a cookie of its own, proves that it began it, and is used up',
    advisories: ['CVE-2024-52801', 'FileBrowser Quantum up to 2.0.8 (state of OpenID Connect)'],
    run: (fixture) =>
      withProvider(fixture, {}, async (provider) => {
        const person = { sub: '235-1', preferred_username: 'paula' }
        const [own, other] = [await begin(fixture), await begin(fixture)]
        for (const read of [
          ({ cookie }: Begun) => cookie.split('=')[1],
          ({ request }: Begun) => request.searchParams.get('state'),
          ({ request }: Begun) => request.searchParams.get('nonce'),
          ({ request }: Begun) => request.searchParams.get('code_challenge'),
        ]) {
          const [first = '', second = ''] = [read(own) ?? '', read(other) ?? '']
          assert(first.length >= SECRET_MIN_CHARS, `${first} is short`)
          assert(first !== second, `${first} is used twice`)
        }
        const query = provider.logIn(own.request, person)
        const foreign = await goBack(fixture, other.cookie, query)
        assert(foreign.has('problem'), 'the cookie of another log-in was accepted')
        // The code of one log-in with the state of another: the proof does not fit.
        const stolen = provider.logIn(other.request, person)
        stolen.set('state', own.request.searchParams.get('state') ?? '')
        assert(
          (await goBack(fixture, own.cookie, stolen)).has('problem'),
          'the code of another log-in was accepted',
        )
        const { request, cookie } = await begin(fixture)
        const back = await goBack(fixture, cookie, provider.logIn(request, person))
        const flow = back.get('flow') ?? ''
        refused(await finish(fixture, other.cookie, flow), 'another browser', 404)
        works(await finish(fixture, cookie, flow), 'the browser that began')
        refused(await finish(fixture, cookie, flow), 'the same log-in again', 404)
      }),
  },
  {
    id: 'G-236',
    attack: 'an account at a provider with the name of a user here, or of an administrator',
    reason:
      'an account belongs to the issuer and the subject, and is linked only with the password of the user',
    advisories: ['FileRise 3.22 (accounts recognized by name)'],
    run: (fixture) =>
      withProvider(fixture, {}, async (provider) => {
        for (const name of ['admin', 'alice', 'ALICE']) {
          const person = {
            sub: `236-${name}`,
            preferred_username: name,
            email: 'alice@example.org',
          }
          const response = await logIn(fixture, provider, person)
          assert(typeof response !== 'string', `${name} has no log-in to link`)
          refused(response, `the account of ${name}`, 403)
          assert(!response.headers.has('set-cookie'), `${name} got a session`)
        }
        const quinn = { sub: '236-1', preferred_username: 'quinn' }
        const made = await logIn(fixture, provider, quinn)
        assert(typeof made !== 'string', 'a new account was refused')
        works(made, 'a new account')
        const twin = await logIn(fixture, provider, { ...quinn, sub: '236-2' })
        assert(typeof twin !== 'string', 'the namesake has no log-in to link')
        refused(twin, 'another person of this name', 403)
        const renamed = await logIn(fixture, provider, { ...quinn, preferred_username: 'rosa' })
        assert(typeof renamed !== 'string', 'the person with another name was refused')
        const [, claims = ''] = works(renamed, 'the person with another name').text.split('.')
        const { user } = JSON.parse(Buffer.from(claims, 'base64url').toString())
        assert(user.username === 'quinn', `the person is ${user.username} now`)
      }),
  },
]
