/** Responses of providers that must be refused: forged, bent, late, replayed, slow, huge, or redirected. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createSign, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { Events, OAuth2Server } from 'oauth2-mock-server'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { TestBrowser } from '../support/identity/browser.ts'
import { writeCertificates } from '../support/identity/directory.ts'
import {
  clientOf,
  finished,
  type IdentityApp,
  logInAt,
  openIdentityApp,
} from '../support/identity/identity-app.ts'
import { outcome } from '../support/server/client.ts'

const MAKES = { newAccounts: 'all' } as const
const REFUSED = 'providerMismatch'

let app: IdentityApp
/** A provider whose tokens a test bends. */
let bent: OAuth2Server
let issuer: string
beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  bent = new OAuth2Server()
  await bent.issuer.keys.generate('RS256')
  await bent.start(0, '127.0.0.1')
  // The server names itself `localhost`, whatever it listens on.
  issuer = `http://127.0.0.1:${bent.address().port}`
  bent.issuer.url = issuer
  await app.setProvider('bent', issuer, MAKES)
})
afterEach(() => bent.stop())

/** Logs in at the bent provider, which asks nothing. @returns the name of the user, or the problem */
async function attempt(id = 'bent'): Promise<string> {
  const browser = new TestBrowser()
  const { flow, problem } = await logInAt(app.url, browser, id, '')
  return problem || finished(app.url, browser, flow)
}

/** Changes the claims or the header of the next ID token. */
function bend(change: (payload: Record<string, unknown>, header: Record<string, unknown>) => void) {
  bent.service.on(Events.BeforeTokenSigning, (token) => {
    token.payload.preferred_username = 'johndoe'
    // The access token has a scope.
    if (token.payload.scope === undefined) change(token.payload, token.header)
  })
}

/** Replaces the ID token by one with another header, and a signature of the attacker. */
function forge(header: object, signatureOf: (signed: string) => string) {
  bent.service.on(Events.BeforeResponse, (response) => {
    const [head = '', claims] = String(response.body.id_token).split('.')
    const before = JSON.parse(Buffer.from(head, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...before, ...header })).toString('base64url')
    const signed = `${changed}.${claims}`
    response.body.id_token = `${signed}.${signatureOf(signed)}`
  })
}

describe('an ID token', () => {
  test('a token that is not bent is accepted', async () => {
    bend((payload) => {
      payload.preferred_username = 'straight'
    })
    expect(await attempt()).toBe('straight')
  })

  test.each([
    ['another nonce', { nonce: 'of another log-in' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an audience of several, for another party', { aud: ['filemgr', 'other'], azp: 'other' }],
    ['no subject', { sub: undefined }],
  ])('%s is refused', async (_, change) => {
    bend((payload) => Object.assign(payload, change))
    expect(await attempt()).toBe(REFUSED)
  })

  test('an expired token, and one of the future, are refused because of the clock', async () => {
    const nowSec = Math.floor(Date.now() / 1000)
    bend((payload) => {
      payload.exp = nowSec - 120
    })
    expect(await attempt()).toBe('providerClock')
    bent.service.removeAllListeners()
    bend((payload) => {
      payload.nbf = nowSec + 600
    })
    expect(await attempt()).toBe('providerClock')
  })

  test('a clock that differs by less than a minute is tolerated', async () => {
    bend((payload) => {
      payload.exp = Math.floor(Date.now() / 1000) - 30
      payload.preferred_username = 'tolerated'
    })
    expect(await attempt()).toBe('tolerated')
  })

  test('a token without a signature is refused', async () => {
    forge({ alg: 'none' }, () => '')
    expect(await attempt()).toBe(REFUSED)
  })

  test('a token without a signature is refused, also if the provider supports it', async () => {
    bent.service.on(Events.BeforeWellKnownOpenIdConfiguration, (response) => {
      response.body.id_token_signing_alg_values_supported = ['none', 'RS256']
    })
    forge({ alg: 'none' }, () => '')
    expect(await attempt()).toBe(REFUSED)
  })

  test('a signature of another token is refused', async () => {
    forge({}, (signed) => Buffer.from(signed.slice(0, 256)).toString('base64url'))
    expect(await attempt()).toBe(REFUSED)
  })

  test('a token that is signed with the secret of the client is refused', async () => {
    forge({ alg: 'HS256' }, (signed) =>
      new Bun.CryptoHasher('sha256', 'the secret of the client').update(signed).digest('base64url'),
    )
    expect(await attempt()).toBe(REFUSED)
  })

  test('a token that is signed with a key of an attacker is refused, whatever it is called', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const sign = (signed: string) =>
      createSign('RSA-SHA256').update(signed).sign(privateKey).toString('base64url')
    forge({}, sign)
    expect(await attempt()).toBe(REFUSED)
    bent.service.removeAllListeners()
    forge({ kid: 'unknown' }, sign)
    expect(await attempt()).toBe(REFUSED)
  })
})

describe('the response', () => {
  test('user info of another subject is refused', async () => {
    bent.service.on(Events.BeforeUserinfo, (response) => {
      response.body = { sub: 'admin' }
    })
    expect(await attempt()).toBe(REFUSED)
  })

  test('user info without a subject, and with an error, is refused in words', async () => {
    bent.service.once(Events.BeforeUserinfo, (response) => {
      response.body = { email: 'a@example.org' }
    })
    expect(['providerMismatch', 'providerInvalid']).toContain(await attempt())
    bent.service.once(Events.BeforeUserinfo, (response) => {
      response.statusCode = 500
    })
    expect(await attempt()).toBe('providerInvalid')
  })

  test('another state, and no state, are refused', async () => {
    for (const state of ['of another log-in', undefined]) {
      bent.service.once(Events.BeforeAuthorizeRedirect, ({ url }) => {
        if (state === undefined) url.searchParams.delete('state')
        else url.searchParams.set('state', state)
      })
      expect(await attempt()).toBe('loginEnded')
    }
  })

  test('a response in the name of another issuer is refused (mix-up, RFC 9207)', async () => {
    bent.service.once(Events.BeforeAuthorizeRedirect, ({ url }) => {
      url.searchParams.set('iss', 'https://evil.example')
    })
    expect(await attempt()).toBe(REFUSED)
  })

  test('a provider that says that it names itself must do so', async () => {
    bent.service.on(Events.BeforeWellKnownOpenIdConfiguration, (response) => {
      response.body.authorization_response_iss_parameter_supported = true
    })
    expect(await attempt()).toBe(REFUSED)
    bent.service.once(Events.BeforeAuthorizeRedirect, ({ url }) => {
      url.searchParams.set('iss', issuer)
    })
    bend((payload) => {
      payload.preferred_username = 'named'
    })
    expect(await attempt()).toBe('named')
  })

  test('a response for one provider is not accepted at another', async () => {
    await app.setProvider('other', issuer, MAKES)
    bent.service.once(Events.BeforeAuthorizeRedirect, ({ url }) => {
      url.pathname = url.pathname.replace(/bent$/, 'other')
    })
    expect(await attempt()).toBe('loginEnded')
  })

  test('a wrong client secret is told apart from other errors', async () => {
    bent.service.once(Events.BeforeResponse, (response) => {
      response.statusCode = 401
      response.body = { error: 'invalid_client' }
    })
    expect(await attempt()).toBe('providerClient')
    bent.service.once(Events.BeforeResponse, (response) => {
      response.statusCode = 400
      response.body = { error: 'invalid_grant' }
    })
    expect(await attempt()).toBe('providerFailed')
  })
})

describe('a provider', () => {
  /** A provider that answers every request in one way. */
  async function strange(answer: (request: Request) => Response | Promise<Response>) {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch: answer })
    const address = `http://127.0.0.1:${server.port}`
    try {
      const found = await app.admin.call('POST', API.identityDiscovery, { issuer: address })
      return `${found.status} ${found.headers.get('x-fault')}`
    } finally {
      await server.stop(true)
    }
  }

  test('a provider that is down is a message', async () => {
    await app.setProvider('down', 'http://127.0.0.1:9')
    expect(await attempt('down')).toBe('providerDown')
  })

  test('a wrong address says what is wrong, and the log has the cause', async () => {
    const discovered = async (issuer: string) => {
      const found = await app.admin.call('POST', API.identityDiscovery, { issuer })
      return `${found.status} ${found.headers.get('x-fault')}`
    }
    expect(await discovered('https://no-such-name.invalid')).toBe(
      '503 unavailable; reason=providerNameUnknown',
    )
    await app.server.says(/503 .*ENOTFOUND no-such-name\.invalid/)
    expect(await discovered('http://127.0.0.1:9')).toBe('503 unavailable; reason=providerDown')
    using withoutTls = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    expect(await discovered(`https://127.0.0.1:${withoutTls.port}`)).toBe(
      '503 unavailable; reason=providerTls',
    )
    const none = '422 unprocessable; reason=providerNoDocument'
    expect(await strange(() => new Response('', { status: 404 }))).toBe(none)
    expect(await strange(() => new Response('<p>a page'))).toBe(none)
  })

  test('a certificate that is not trusted is named', async () => {
    const folder = temporaryFolder()
    writeCertificates(folder.path)
    const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
    using server = Bun.serve({
      port: 0,
      tls: { cert: read('server.pem'), key: read('server.key') },
      fetch: () => new Response(),
    })
    const issuer = `https://localhost:${server.port}`
    const found = await app.admin.call('POST', API.identityDiscovery, { issuer })
    expect(found.headers.get('x-fault')).toBe('unavailable; reason=providerTls')
    folder.remove()
  })

  test('a silent provider is given up', async () => {
    expect(await strange(() => new Promise<Response>(() => undefined))).toBe(
      '503 unavailable; reason=providerSlow',
    )
  })

  test('a provider that sends byte after byte is given up', async () => {
    const dripping = () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await Bun.sleep(200)
            controller.enqueue(new Uint8Array([32]))
          },
        }),
      )
    expect(await strange(dripping)).toBe('503 unavailable; reason=providerSlow')
  })

  test('a huge response is not read', async () => {
    const huge = ({ url }: Request) => {
      const { origin } = new URL(url)
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        padding: ' '.repeat(1024 * 1024),
      })
    }
    expect(await strange(huge)).toBe('422 unprocessable; reason=providerInvalid')
  })

  test('a redirect is not followed', async () => {
    let reached = 0
    const target = Bun.serve({
      port: 0,
      fetch: () => {
        reached += 1
        return new Response('{}')
      },
    })
    const to = `http://127.0.0.1:${target.port}/`
    expect(await strange(() => Response.redirect(to))).toBe(
      '422 unprocessable; reason=providerInvalid',
    )
    expect(reached).toBe(0)
    await target.stop(true)
  })

  test('a provider that names another issuer is refused', async () => {
    const other = () => Response.json({ issuer: 'https://evil.example' })
    expect(await strange(other)).toBe('422 unprocessable; reason=providerIssuer')
  })

  test('an end point without encryption on another machine is refused', async () => {
    const open = ({ url }: Request) => {
      const { origin } = new URL(url)
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: 'http://login.example.org/token',
        jwks_uri: `${origin}/jwks`,
      })
    }
    expect(await strange(open)).toBe('422 unprocessable; reason=providerInvalid')
  })
})

describe('a log-out token', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
  let serial = 0

  /** The claims of a valid token for a person. */
  const claimsFor = (sub: string): Record<string, unknown> => {
    serial += 1
    return { sub, jti: `token ${serial}`, events: { [EVENT]: {} } }
  }

  async function signed(claims: JWTPayload, header: Record<string, unknown> = {}) {
    return bent.issuer.buildToken({
      expiresIn: 120,
      scopesOrTransform: (head, payload) => {
        Object.assign(head, { typ: 'logout+jwt' }, header)
        Object.assign(payload, { aud: 'filemgr' }, claims)
      },
    })
  }

  async function send(token: string, id = 'bent') {
    const answer = await fetch(`${app.url}${API.identityBackchannel}/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
    return { status: answer.status, cache: answer.headers.get('cache-control') }
  }

  test('a valid token ends the sessions of its person, once', async () => {
    bend((payload) => {
      payload.preferred_username = 'out'
      payload.sub = 'out'
    })
    bent.service.on(Events.BeforeUserinfo, (response) => {
      response.body = { sub: 'out' }
    })
    const { client } = await clientOf(app.url, 'bent', '')
    const token = await signed(claimsFor('out'))
    expect(await send(token)).toEqual({ status: 200, cache: 'no-store' })
    expect(await outcome(client.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
    const { client: again } = await clientOf(app.url, 'bent', '')
    expect(await send(token)).toEqual({ status: 400, cache: 'no-store' })
    expect(await outcome(again.call('GET', `${API.resources}/`))).toBe('200')
  })

  test('an invalid token ends no session', async () => {
    bend((payload) => {
      payload.preferred_username = 'stays'
      payload.sub = 'stays'
    })
    bent.service.on(Events.BeforeUserinfo, (response) => {
      response.body = { sub: 'stays' }
    })
    const { client } = await clientOf(app.url, 'bent', '')
    const valid = claimsFor('stays')
    const nowSec = Math.floor(Date.now() / 1000)
    const without = (claim: string) => ({ ...valid, [claim]: undefined })
    const { privateKey } = await generateKeyPair('RS256')
    const foreign = new SignJWT({ ...valid, aud: 'filemgr', iss: issuer, iat: nowSec })
      .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt' })
      .sign(privateKey)
    const tokens = {
      'an ID token': signed({ ...valid, nonce: 'n' }),
      'no event': signed(without('events')),
      'another event': signed({ ...valid, events: { other: {} } }),
      'no id': signed(without('jti')),
      'no person and no session': signed(without('sub')),
      'another audience': signed({ ...valid, aud: 'other' }),
      'another issuer': signed({ ...valid, iss: 'https://evil.example' }),
      'an old token': signed({ ...valid, iat: nowSec - 3600, exp: nowSec + 60 }),
      'an expired token': signed({ ...valid, exp: nowSec - 120 }),
      'another type': signed(valid, { typ: 'at+jwt' }),
      'another key': foreign,
      'no signature': new UnsecuredJWT({
        ...valid,
        aud: 'filemgr',
        iss: issuer,
        iat: nowSec,
      }).encode(),
      rubbish: 'rubbish',
      nothing: '',
    }
    for (const [what, token] of Object.entries(tokens)) {
      expect(await send(await token), what).toEqual({ status: 400, cache: 'no-store' })
      expect(await outcome(client.call('GET', `${API.resources}/`)), what).toBe('200')
    }
    expect((await send(await signed(valid), 'none')).status).toBe(404)
    expect(await send(await signed(valid))).toEqual({ status: 200, cache: 'no-store' })
  })
})

test('flows of one network do not fill the server: the oldest one ends', async () => {
  const browser = new TestBrowser()
  const begin = `${app.url}${API.identityLogin}/bent`
  const first = await browser.send(begin)
  for (let count = 0; count < 50; count += 1) await new TestBrowser().send(begin)
  const back = await browser.send(first.headers.get('location') ?? '')
  const callback = await browser.send(back.headers.get('location') ?? '')
  expect(callback.headers.get('location')).toContain('problem=loginEnded')
})
