import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { rawRequest } from '#attacks/raw-request.ts'
import { ROUTES } from '#server/http/app.ts'
import { API } from '#wire/api/routes.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { REPO_ROOT } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const get = (address: string) => app.anonymous.call('GET', address)

describe('the page', () => {
  test('the page answers every path without another route, and no other method @spec-7.50', async () => {
    for (const address of ['/', '/login', '/files/a%23b/', '/share/x', '/anything']) {
      const answer = await get(address)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toStartWith('text/html')
    }
    expect(await outcome(app.anonymous.call('POST', '/login'))).toBe('404 notFound')
  })

  test('the page forbids foreign scripts, framing and sniffing, and sends no referrer @spec-7.2', async () => {
    const answer = await get('/login')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'nonce-[\w+/=]+'/)
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    const again = (await get('/login')).headers.get('content-security-policy')
    expect(again).not.toBe(policy)
  })

  test('the worker for PDF files may compile decoders, and requests nothing', async () => {
    const [worker] = new Glob('pdf.worker*.mjs').scanSync(join(REPO_ROOT, 'ui/dist/static'))
    const answer = await get(`/static/${worker}`)
    expect(answer.headers.get('content-type')).toStartWith('text/javascript')
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'wasm-unsafe-eval'",
    )
  })

  test('the instance’s name cannot break the page’s markup', async () => {
    await app.runCommand('config', 'set', 'branding.name', '</script><script>alert(1)</script>')
    const html = await (await get('/login')).text()
    expect(html).not.toContain('<script>alert')
    await app.runCommand('config', 'set', 'branding.name', '')
  })
})

describe('the API', () => {
  test('unknown addresses of the API are 404 for all users, and have no page @spec-7.4', async () => {
    for (const address of [
      '/api',
      '/api/',
      '/api/nope',
      '/api/raw/../nope',
      '/API/users',
      '/static/nope.js',
      '/static/',
    ]) {
      expect(await outcome(get(address))).toBe('404 notFound')
      expect(await outcome(app.admin.call('GET', address))).toBe('404 notFound')
    }
  })

  test('every route of the API says whom it is for, and answers accordingly', async () => {
    expect(ROUTES.length).toBeGreaterThan(10)
    for (const route of ROUTES) {
      expect(route.needs).toBeTruthy()
      const address = route.path.replace('/*', '/x').replace(/:id\{.*\}/, '1')
      const answer = await outcome(app.anonymous.call(route.method, address))
      if (route.needs === 'anyone') expect(answer).not.toStartWith('401')
      else expect(answer).toBe('401 unauthenticated')
    }
  })

  test('the API is never read by another site, nor kept by a cache @spec-7.2', async () => {
    const answer = await app.anna.call('GET', `${API.resources}/`, undefined, {
      Origin: 'https://evil.example',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  test('a path of the API spelled another way is the same path, and asks for the same rights @spec-7.4', async () => {
    for (const target of [
      '/api//resources/',
      '//api/resources/',
      '/api/./resources/',
      '/x/../api/resources/',
      '/%61pi/resources/',
    ]) {
      expect([401, 404, 200]).toContain((await rawRequest(app.url, 'GET', target)).status)
      expect((await rawRequest(app.url, 'GET', target)).text).not.toContain('numDirs')
    }
  })

  test('a request with two lengths is refused', async () => {
    const { status } = await rawRequest(
      app.url,
      'POST',
      API.login,
      { 'Transfer-Encoding': 'chunked' },
      '0\r\n\r\n',
    )
    expect(status).toBe(400)
  })
})

test('health is for all users @spec-7.49', async () => {
  expect(await (await get(API.health)).json()).toEqual({ status: 'OK' })
})

test('under a base URL everything is there, and without it too @spec-7.5', async () => {
  const server = await startServer({ args: ['--base-url', '/files/here'] })
  expect(server.url).toEndWith('/files/here')
  const admin = await signIn(server.url, 'admin', server.password)
  expect(await outcome(admin.call('GET', `${API.resources}/`))).toBe('200')
  const created = await admin.call('POST', `${API.tus}/x`, undefined, { 'Upload-Length': '1' })
  expect(created.headers.get('location')).toStartWith('/files/here/api/tus/x?upload=')
  const bare = await fetch(`${new URL(server.url).origin}${API.health}`)
  expect(bare.status).toBe(200)
  await server.stop()
})

test('the log has File Browser’s line, one for each refusal @spec-7.6', async () => {
  const other = await startServer()
  await fetch(`${other.url}/api/login`, {
    method: 'POST',
    body: '{"username":"eve","password":"x"}',
  })
  await other.says(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \/api\/login: 403 127\.0\.0\.1 .+$/m)
  await rawRequest(other.url, 'GET', '/api/raw/a%0A2026/01/01%20forged')
  await other.says(/\/api\/raw\/a%0A2026\/01\/01%20forged: 401 127\.0\.0\.1/)
  expect(
    other
      .output()
      .split('\n')
      .filter((line) => line.includes('127.0.0.1 ')),
  ).toHaveLength(2)
  await other.stop()
})
