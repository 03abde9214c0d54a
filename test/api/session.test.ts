import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { decodeJwt, SignJWT } from 'jose'
import { API } from '#wire/api/routes.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const look = (client: Client) => outcome(client.call('GET', `${API.resources}/`))
const withToken = (token: string) => ({
  ...anonymous(app.url),
  call: (method: string, address: string) =>
    fetch(app.url + address, { method, headers: { 'X-Auth': token } }),
  token,
})

describe('signing in', () => {
  test('without a session nothing is shown; with one, users see their files', async () => {
    expect(await look(app.anonymous)).toBe('401 unauthenticated')
    expect(await look(app.anna)).toBe('200')
    expect(await look(app.admin)).toBe('200')
  })

  test('signing in answers the bare token, as text, and sets a strict cookie @spec-7.7', async () => {
    const answer = await app.anonymous.call('POST', API.login, {
      username: 'anna',
      password: PASSWORD,
    })
    expect(answer.headers.get('content-type')).toBe('text/plain')
    const cookie = answer.headers.get('set-cookie') ?? ''
    const token = await answer.text()
    expect(cookie).toContain(`auth=${token}`)
    expect(cookie).toContain('SameSite=Strict')
    expect(decodeJwt(token)).toMatchObject({
      user: { username: 'anna', perm: { admin: false, create: true } },
    })
    expect(JSON.stringify(decodeJwt(token))).not.toContain('$argon2')
  })

  test('a wrong password and an unknown name get the same response @spec-7.7', async () => {
    const answers = await Promise.all(
      ['anna', 'nobody-of-this-name'].map(async (username) => {
        const answer = await app.anonymous.call('POST', API.login, { username, password: 'wrong' })
        return [answer.status, await answer.text()]
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.[0]).toBe(403)
  })

  test('a sign-in whose body makes no sense is refused with a reason', async () => {
    const refused = async (body: string) => {
      const answer = await app.anonymous.call('POST', API.login, body)
      return `${answer.status} ${await answer.text()}`
    }
    expect(await refused('{')).toContain('400 400 Bad Request (The body is not JSON.)')
    expect(await refused('{"username":1,"password":"x"}')).toContain('username')
    const nul = JSON.stringify({ username: 'a\0b', password: 'x' })
    expect(await refused(nul)).toContain('400')
    expect(await refused('x'.repeat(1024 * 1024 + 1))).toContain('413')
  })
})

describe('a session', () => {
  test('a session ends at log-out, at once @spec-7.9', async () => {
    const anna = await signIn(app.url, 'anna', PASSWORD)
    expect(await outcome(anna.call('POST', API.logout))).toBe('200')
    expect(await look(anna)).toBe('401 unauthenticated')
    expect(await outcome(anna.call('POST', API.renew))).toBe('401 unauthenticated')
  })

  test('log-out makes the browser forget what it has downloaded, and nothing that other tabs need', async () => {
    const clears = async (answer: Promise<Response>) => {
      const { status, headers, body } = await answer
      await body?.cancel()
      return [status, headers.get('clear-site-data')]
    }
    const anna = await signIn(app.url, 'anna', PASSWORD)
    const phone = await signIn(app.url, 'anna', PASSWORD)
    const sessions: SessionInfo[] = await (await anna.call('GET', API.sessions)).json()
    const own = sessions.find(({ current }) => current)?.id
    const theirs = decodeJwt(phone.token).sid
    expect(await clears(anna.call('DELETE', `${API.sessions}/${theirs}`))).toEqual([200, null])
    expect(await clears(anna.call('DELETE', `${API.sessions}/${own}`))).toEqual([200, '"cache"'])
    const again = await signIn(app.url, 'anna', PASSWORD)
    expect(await clears(again.call('POST', API.logout))).toEqual([200, '"cache"'])
    // Another site could send it, without a session.
    expect(await clears(again.call('POST', API.logout))).toEqual([401, null])
    expect(await clears(app.anna.call('GET', `${API.resources}/`))).toEqual([200, null])
  })

  test('a session renews to a new token; the old one serves what is under way @spec-7.8 @spec-7.51', async () => {
    const anna = await signIn(app.url, 'anna', PASSWORD)
    const renewed = await anna.call('POST', API.renew)
    expect(renewed.headers.get('x-renew-token')).toBe('false')
    const token = await renewed.text()
    expect(token).not.toBe(anna.token)
    expect(await look(withToken(token))).toBe('200')
    expect(await look(anna)).toBe('200')
    await withToken(token).call('POST', API.logout)
    expect(await look(anna)).toBe('401 unauthenticated')
  })

  test('a session ends when the password, the rights or the user change, also by another program @spec-11.14', async () => {
    const changes = [
      ['update', 'bob', '--password', 'another good password'],
      ['update', 'bob', '--perm.delete=false'],
      ['update', 'bob', '--scope', '/elsewhere'],
      ['rm', 'bob'],
    ]
    for (const words of changes) {
      const bob = await app.person('bob')
      expect(await look(bob)).toBe('200')
      await app.runCommand('users', ...words)
      expect(await look(bob)).toBe('401 unauthenticated')
      expect(await outcome(bob.call('POST', API.renew))).toBe('401 unauthenticated')
      if (words[0] !== 'rm') await app.runCommand('users', 'rm', 'bob')
    }
  })

  test('a session continues when only a preference changes', async () => {
    const carl = await app.person('carl')
    await app.runCommand('users', 'update', 'carl', '--hide-dotfiles')
    const answer = await carl.call('GET', `${API.resources}/`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-renew-token')).toBe('true')
  })

  test('a session cannot be forged @spec-7.8', async () => {
    const claims = decodeJwt(app.admin.token)
    const [head, body, signature] = app.admin.token.split('.')
    const unsigned = `${btoa('{"alg":"none","typ":"JWT"}').replace(/=/g, '')}.${body}.`
    const forged = await Promise.all(
      ['', 'secret'].map((key) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(key || '\0')),
      ),
    )
    const changed = `${head}.${btoa(JSON.stringify({ ...claims, exp: 9_999_999_999 })).replace(/=/g, '')}.${signature}`
    for (const token of [unsigned, changed, ...forged, 'a.b.c', 'x', '']) {
      expect(await look(withToken(token))).toBe('401 unauthenticated')
    }
  })

  test('a session travels in the cookie only for reading, and never in the address @spec-7.51', async () => {
    const cookie = { Cookie: `auth=${app.anna.token}` }
    const call = (method: string, address: string) =>
      outcome(app.anonymous.call(method, address, undefined, cookie))
    expect(await call('GET', `${API.resources}/`)).toBe('200')
    expect(await call('HEAD', `${API.resources}/`)).toBe('200')
    expect(await call('POST', `${API.resources}/new/`)).toBe('401 unauthenticated')
    expect(await call('DELETE', `${API.resources}/new`)).toBe('401 unauthenticated')
    expect(await call('POST', API.renew)).toBe('401 unauthenticated')
    const inAddress = app.anonymous.call('GET', `${API.resources}/?auth=${app.anna.token}`)
    expect(await outcome(inAddress)).toBe('401 unauthenticated')
  })
})

describe('the list of sessions', () => {
  const list = async (by: Client, query = '') =>
    (await (await by.call('GET', `${API.sessions}${query}`)).json()) as SessionInfo[]

  test('the list of sessions shows the user’s own, and administrators those of all users @spec-7.10', async () => {
    const dora = await app.person('dora')
    const phone = await signIn(app.url, 'dora', PASSWORD)
    expect(await outcome(app.anonymous.call('GET', API.sessions))).toBe('401 unauthenticated')
    expect(await outcome(dora.call('GET', `${API.sessions}?all=true`))).toBe('403 forbidden')
    const own = await list(dora)
    expect(own.map(({ current }) => current).sort()).toEqual([false, true])
    expect(JSON.stringify(own)).not.toContain(phone.token)
    const all = await list(app.admin, '?all=true')
    expect(all.filter(({ username }) => username === 'dora').length).toBe(2)
  })

  test('the list of sessions ends the chosen session at once, and no other @spec-7.10', async () => {
    const emil = await app.person('emil')
    const phone = await signIn(app.url, 'emil', PASSWORD)
    const other = (await list(emil)).find(({ current }) => !current)?.id ?? ''
    const end = (by: Client, id: string) => outcome(by.call('DELETE', `${API.sessions}/${id}`))
    expect(await end(app.anna, other)).toBe('404 notFound')
    expect(await look(phone)).toBe('200')
    expect(await end(emil, other)).toBe('200')
    expect(await look(phone)).toBe('401 unauthenticated')
    expect(await look(emil)).toBe('200')
    const last = (await list(emil))[0]?.id ?? ''
    expect(await end(app.admin, last)).toBe('200')
    expect(await look(emil)).toBe('401 unauthenticated')
  })
})
