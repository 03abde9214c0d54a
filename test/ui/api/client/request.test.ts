import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { renew } from '#ui/api/accounts/session.ts'
import { isNoConnection, listenToRequests, request } from '#ui/api/client/request.ts'
import { currentToken, dropToken, readClaims, storeToken } from '#ui/api/client/token.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { Fault } from '#wire/fault.ts'
import { sentRequests, serve, tokenOf, userOf } from '../../browser.ts'
import { resetListeners } from '../../listeners.ts'

const received: string[] = []
const ok = () => new Response('fine')

async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Fault)) throw new Error('No fault was thrown.')
  return error
}

/** The result of a lost session: true if the user signs in again. */
let signInAgain = () => false

beforeEach(() => {
  dropToken()
  received.length = 0
  signInAgain = () => false
  listenToRequests({
    onSessionLost: async () => {
      received.push('lost')
      return signInAgain()
    },
    onRenewalWanted: () => received.push('renew'),
    onResponse: () => received.push('answered'),
    onUnreachable: () => received.push('unreachable'),
  })
})

afterAll(resetListeners)

/** Storage refuses new values while `act` runs. */
function fillStorage(act: () => void): void {
  const { localStorage } = globalThis
  const full = {
    getItem: (key: string) => localStorage.getItem(key),
    setItem() {
      throw new DOMException('It is full.', 'QuotaExceededError')
    },
  }
  Object.defineProperty(globalThis, 'localStorage', { value: full, configurable: true })
  act()
  Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true })
}

describe('a request', () => {
  test('a request sends the token, unless it is anonymous', async () => {
    serve(ok)
    storeToken('a.b.c')
    await request('/api/x')
    await request('/api/x', { anonymous: true })
    expect(sentRequests.map(({ headers }) => headers.get('X-Auth'))).toEqual(['a.b.c', null])
  })

  test('a request throws the code and the message of the server @spec-8.4', async () => {
    serve(() => new Response('Taken.', { status: 409, headers: { 'X-Fault': 'usernameTaken' } }))
    expect(await faultOf(request('/api/x'))).toMatchObject({
      code: 'usernameTaken',
      message: 'Taken.',
    })
  })

  test('a request without a fault code throws a code by its status', async () => {
    serve(() => new Response('', { status: 404, statusText: 'Not Found' }))
    expect(await faultOf(request('/api/x'))).toMatchObject({
      code: 'notFound',
      message: '',
    })
  })

  test('the message of a fault is the sentence of the server, without the status around it', async () => {
    const headers = { 'X-Fault': 'badRequest' }
    serve(
      () => new Response('400 Bad Request (The name a (b) is taken.)\n', { status: 400, headers }),
    )
    expect((await faultOf(request('/api/x'))).message).toBe('The name a (b) is taken.')
  })

  test('the page of a proxy is not the message of a fault', async () => {
    serve(() => new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 }))
    const fault = await faultOf(request('/api/x'))
    expect(fault).toMatchObject({ code: 'tooLarge', message: '' })
    expect(faultText(fault)).toBe('It is too large.')
  })

  test('a request without a response reports the lost connection @spec-8.3', async () => {
    serve(() => new TypeError('network'))
    const fault = await faultOf(request('/api/x'))
    expect(isNoConnection(fault)).toBe(true)
    expect(fault.code).toBe('unavailable')
    expect(received).toEqual(['unreachable'])
  })

  test('an aborted request is not a lost connection @spec-8.3', async () => {
    serve(() => new TypeError('aborted'))
    const fault = await faultOf(request('/api/x', { signal: AbortSignal.abort() }))
    expect(fault.code).toBe('aborted')
    expect(received).toEqual([])
  })

  test('a request with status 401 ends the session, but a sign-in does not', async () => {
    serve(() => new Response('', { status: 401 }))
    await faultOf(request('/api/x'))
    await faultOf(request('/api/login', { anonymous: true }))
    expect(received.filter((name) => name === 'lost')).toHaveLength(1)
  })

  test('a request is sent again after the user signs in again, and only once', async () => {
    storeToken('o.l.d')
    signInAgain = () => {
      storeToken('n.e.w')
      return true
    }
    serve(({ headers }) =>
      headers.get('X-Auth') === 'n.e.w' ? ok() : new Response('', { status: 401 }),
    )
    expect(await (await request('/api/x', { method: 'PUT', body: 'typed' })).text()).toBe('fine')
    expect(sentRequests.map(({ method, body }) => [method, body])).toEqual([
      ['PUT', 'typed'],
      ['PUT', 'typed'],
    ])
    serve(() => new Response('', { status: 401 }))
    expect(await faultOf(request('/api/x'))).toMatchObject({ code: 'unauthenticated' })
    expect(sentRequests).toHaveLength(2)
  })

  test('a request does not ask for a sign-in if another request already has a session again', async () => {
    storeToken('o.l.d')
    serve(({ headers }) => {
      if (headers.get('X-Auth') === 'n.e.w') return ok()
      storeToken('n.e.w')
      return new Response('', { status: 401 })
    })
    expect(await (await request('/api/x')).text()).toBe('fine')
    expect(received).not.toContain('lost')
  })

  test('a request with the option withoutSignIn does not ask for a sign-in', async () => {
    storeToken('o.l.d')
    serve(() => new Response('', { status: 401 }))
    await faultOf(request('/api/logout', { withoutSignIn: true }))
    expect(received).not.toContain('lost')
  })

  test('a request reports how long to wait', async () => {
    serve(() => new Response('', { status: 429, headers: { 'Retry-After': '24' } }))
    expect(await faultOf(request('/api/x'))).toMatchObject({ code: 'tooMany', retryAfterSec: 24 })
  })

  test('a request reports that the token should be renewed', async () => {
    serve(() => new Response('', { headers: { 'X-Renew-Token': 'true' } }))
    await request('/api/x')
    expect(received).toContain('renew')
  })
})

describe('the token', () => {
  test('the token is renewed once for concurrent callers', async () => {
    const token = tokenOf(userOf())
    serve(() => new Response(token))
    storeToken('o.l.d')
    expect(await Promise.all([renew(), renew(), renew()])).toEqual([token, token, token])
    expect(sentRequests).toHaveLength(1)
    expect(currentToken()).toBe(token)
  })

  test('a response that is no token replaces none', async () => {
    serve(() => new Response('<p>Accept the terms.</p>'))
    storeToken('o.l.d')
    expect((await faultOf(renew())).code).toBe('unavailable')
    expect(currentToken()).toBe('o.l.d')
  })

  test('the token is stored in local storage and in no cookie, and dropping it deletes an old cookie', () => {
    storeToken('a.b.c')
    expect(localStorage.getItem('jwt')).toBe('a.b.c')
    expect(document.cookie).not.toMatch(/auth=./)
    // biome-ignore lint/suspicious/noDocumentCookie: as an earlier release wrote it
    document.cookie = 'auth=o.l.d; Path=/'
    dropToken()
    expect(localStorage.getItem('jwt')).toBeNull()
    expect(document.cookie).not.toContain('auth=o')
  })

  test('a token that cannot be stored replaces the stored one until that changes', () => {
    storeToken('o.l.d')
    fillStorage(() => storeToken('n.e.w'))
    expect(currentToken()).toBe('n.e.w')
    // Another tab signs out.
    localStorage.removeItem('jwt')
    expect(currentToken()).toBeNull()
  })

  test('a stored token replaces one that could not be stored', () => {
    fillStorage(() => storeToken('o.l.d'))
    expect(currentToken()).toBe('o.l.d')
    storeToken('n.e.w')
    expect(currentToken()).toBe('n.e.w')
    localStorage.removeItem('jwt')
    expect(currentToken()).toBeNull()
  })

  test('the token names its user in any script', () => {
    expect(readClaims(tokenOf(userOf({ username: 'Zoë 资料' })))?.user.username).toBe('Zoë 资料')
    expect(readClaims('no token')).toBeUndefined()
  })
})
