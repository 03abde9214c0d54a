import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { request } from '#ui/api/client/request.ts'
import { currentToken, storeToken } from '#ui/api/client/token.ts'
import { answer, prompts } from '#ui/state/dialogs/prompts.ts'
import {
  endSession,
  session,
  signIn,
  signInAgain,
  watchSession,
} from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { sentRequests, serve, tokenOf, userOf } from '../../browser.ts'
import { resetListeners } from '../../listeners.ts'

const OLD = tokenOf(userOf(), { iat: 1 })
const NEW = tokenOf(userOf(), { iat: 2 })

const top = () => prompts.stack.at(-1)

/** A server that knows the new token alone, and gives it for any password. */
function forget(): void {
  serve(({ url, headers }) => {
    if (url === '/api/login') return new Response(NEW)
    const known = headers.get('X-Auth') === NEW
    return known ? new Response('saved') : new Response('', { status: 401 })
  })
}

async function asks(): Promise<{ id: number }> {
  while (!top()) await Bun.sleep(1)
  const [only, ...others] = prompts.stack
  if (!only || others.length > 0) throw new Error('Not one question alone.')
  return only
}

beforeEach(() => {
  watchSession()
  storeToken(OLD)
  session.user = userOf()
})

afterEach(() => {
  settings.LoginPage = true
  endSession('left')
})

afterAll(resetListeners)

describe('an expired session', () => {
  test('concurrent requests ask for the password once, and all of them continue @spec-4.1', async () => {
    forget()
    const calls = [request('/api/a', { method: 'PUT', body: 'typed' }), request('/api/b')]
    const { id } = await asks()
    await signIn('ana', 'secret')
    answer(id, true)
    const texts = await Promise.all(calls.map(async (call) => (await call).text()))
    expect(texts).toEqual(['saved', 'saved'])
    expect(sentRequests.find(({ headers }) => headers.get('X-Auth') === NEW)?.body).toBe('typed')
  })

  test('an expired session ends if the user does not sign in again: the login page follows', async () => {
    forget()
    const call = request('/api/a').catch(({ code }) => code)
    const { id } = await asks()
    answer(id, undefined)
    expect(await call).toBe('unauthenticated')
    expect(session.user).toBeNull()
    expect(session.endedBy).toBe('ended')
    expect(currentToken()).toBeNull()
  })

  test('an expired session is renewed without a question if no password is needed', async () => {
    forget()
    settings.LoginPage = false
    expect(await (await request('/api/a')).text()).toBe('saved')
    expect(top()).toBeUndefined()
  })

  test('no dialog asks for a session before the first sign-in', async () => {
    session.user = null
    expect(await signInAgain()).toBe(false)
    expect(top()).toBeUndefined()
    expect(currentToken()).toBeNull()
  })

  test('an expired session continues after the same user signs in in another tab', async () => {
    forget()
    const call = request('/api/a')
    await asks()
    storeToken(NEW)
    const event = new StorageEvent('storage', { key: 'jwt', newValue: NEW })
    window.dispatchEvent(event)
    expect(await (await call).text()).toBe('saved')
    expect(top()).toBeUndefined()
  })

  test('a session of another user in another tab is not accepted', async () => {
    forget()
    const call = request('/api/a').catch(({ code }) => code)
    await asks()
    const theirs = tokenOf(userOf({ id: 2, username: 'ben' }))
    storeToken(theirs)
    window.dispatchEvent(new StorageEvent('storage', { key: 'jwt', newValue: theirs }))
    expect(await call).toBe('unauthenticated')
    expect(session.user?.id).toBe(2)
    expect(currentToken()).toBe(theirs)
  })
})
