/** Log-in with OpenID Connect providers, without a provider: what a client can try alone. */
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'

const IDENTITY = '/api/identity'
/** Nothing listens there. */
const ISSUER = 'https://127.0.0.1:9'

/** A provider with an id. */
function provider(id: string) {
  return {
    current_password: FIXTURE_PASSWORD,
    provider: {
      id,
      label: id,
      issuer: ISSUER,
      clientID: 'filemgr',
      clientSecret: 'the secret of the client',
      isEnabled: true,
    },
  }
}

export const identityCases: AttackCase[] = [
  {
    id: 'G-226',
    attack: 'adding a provider of one’s own, or reading the client secret of another',
    reason:
      'only administrators change providers, with their password, and no response has a client secret',
    async run(fixture) {
      const body = provider('attack')
      for (const [method, target] of [
        ['GET', `${IDENTITY}/providers`],
        ['POST', `${IDENTITY}/providers`],
        ['PUT', `${IDENTITY}/providers/attack`],
        ['DELETE', `${IDENTITY}/providers/attack`],
        ['POST', `${IDENTITY}/providers/attack/test`],
        ['POST', `${IDENTITY}/discovery`],
        ['POST', `${IDENTITY}/test`],
      ] as const) {
        const sent = method === 'GET' ? undefined : body
        refused(await fixture.call('alice', method, target, sent), `${method} ${target}`, 403)
        refused(await fixture.call('', method, target, sent), `${method} ${target}`, 401)
      }
      const wrong = { ...body, current_password: 'wrong' }
      const target = `${IDENTITY}/providers`
      refused(await fixture.call('admin', 'POST', target, wrong), 'a wrong password', 400)
      const right = { ...body, current_password: fixture.password }
      works(await fixture.call('admin', 'POST', target, right), 'a provider', 201)
      const list = works(await fixture.call('admin', 'GET', target), 'the providers')
      assert(!list.text.includes('the secret of the client'), 'the list has the client secret')
      works(
        await fixture.call('admin', 'DELETE', `${target}/attack`, {
          current_password: fixture.password,
        }),
        'its removal',
      )
    },
  },
  {
    id: 'G-227',
    attack: 'the response of a provider that was not asked for, and a log-in of another browser',
    reason: 'a log-in has a state of 256 bits, and a cookie of the browser where it began',
    async run(fixture) {
      for (const query of ['code=x&state=x', 'code=x', 'error=access_denied', 'id_token=x.y.z']) {
        const response = await fixture.call('', 'GET', `${IDENTITY}/callback/attack?${query}`)
        assert(response.status === 302, `${query}: ${response.status}`)
        const location = response.headers.get('location') ?? ''
        assert(location.startsWith('/login?problem='), `${query} leads to ${location}`)
        assert(!response.headers.has('set-cookie'), `${query} sets a cookie`)
      }
      for (const flow of ['0123456789abcdef', '', '../x', "' OR 1=1 --"]) {
        const body = { flow }
        refused(await fixture.call('', 'POST', `${IDENTITY}/finish`, body), `flow ${flow}`, 404)
        const link = { ...body, current_password: FIXTURE_PASSWORD }
        refused(await fixture.call('alice', 'POST', `${IDENTITY}/linked`, link), 'a link', 404)
      }
      works(await fixture.call('', 'GET', IDENTITY), 'the list of providers')
    },
  },
  {
    id: 'G-228',
    attack:
      'logging users out with a forged log-out token, and a log-in that leads to another site',
    reason:
      'a log-out token needs a signature of the provider, and a log-in returns to a page of the interface',
    async run(fixture) {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const forged = `${encode({ alg: 'none', typ: 'logout+jwt' })}.${encode({
        iss: ISSUER,
        aud: 'filemgr',
        sub: 'alice',
        iat: Math.floor(Date.now() / 1000),
        jti: '1',
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })}.`
      for (const token of [forged, fixture.tokens.alice ?? '', '', 'x']) {
        const body = `logout_token=${encodeURIComponent(token)}`
        refused(
          await fixture.call('', 'POST', `${IDENTITY}/backchannel/attack`, body),
          'forged',
          404,
        )
      }
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'the session')
      for (const page of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
        const target = `${IDENTITY}/login/attack?return=${encodeURIComponent(page)}`
        const location = (await fixture.call('', 'GET', target)).headers.get('location') ?? ''
        assert(location.startsWith('/login?problem='), `${page} leads to ${location}`)
        assert(!location.includes('evil'), `${page} is part of ${location}`)
      }
    },
  },
]
