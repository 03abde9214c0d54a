/** The OpenAPI document and the page of it describe every route. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ROUTES } from '#server/http/app.ts'
import type { OpenApi } from '#server/http/docs/openapi.ts'
import { API } from '#wire/api/routes.ts'
import { PERMISSIONS } from '#wire/permissions.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let server: TestServer
let api: OpenApi
beforeAll(async () => {
  server = await startServer({ args: ['--base-url', '/files'] })
  api = await (await fetch(server.url + API.openapi)).json()
})
afterAll(() => server.stop())

test('every route declares which right it needs', () => {
  const known = ['anyone', 'session', ...PERMISSIONS]
  for (const { method, path, needs } of ROUTES) {
    expect(known, `${method} ${path}`).toContain(needs)
  }
})

test('exactly these routes may be called by anyone', () => {
  const open = ROUTES.filter(({ needs }) => needs === 'anyone').map(
    ({ method, path }) => `${method} ${path}`,
  )
  expect(open.sort()).toEqual([
    'GET /api/docs',
    'GET /api/identity',
    'GET /api/identity/callback/:id',
    'GET /api/identity/login/:id',
    'GET /api/openapi.json',
    'GET /api/public/archive-file/*',
    'GET /api/public/archive/*',
    'GET /api/public/dl/*',
    'GET /api/public/film-subtitles/*',
    'GET /api/public/media/*',
    'GET /api/public/preview/:size/*',
    'GET /api/public/share/*',
    'GET /api/public/subtitle/*',
    'GET /health',
    'GET /ready',
    'OPTIONS /api/tus/*',
    'POST /api/identity/backchannel/:id',
    'POST /api/identity/finish',
    'POST /api/invitation',
    'POST /api/invitation/accept',
    'POST /api/login',
    'POST /api/login/code',
    'POST /api/login/enrol',
    'POST /api/login/passkey',
    'POST /api/login/passkey/options',
    'POST /api/signup',
  ])
})

test('every route is described once, with its responses @spec-3.1 @spec-7.60', () => {
  const described = Object.values(api.paths).flatMap((row) => Object.values(row))
  expect(described).toHaveLength(ROUTES.length)
  expect(described.map(({ summary }) => summary).sort()).toEqual(
    ROUTES.map(({ docs }) => docs.summary).sort(),
  )
  for (const { summary, responses } of described) {
    expect(
      Object.keys(responses).some((status) => /^[1-3]/.test(status)),
      summary,
    ).toBe(true)
  }
})

test('routes that need a session describe 401, and routes that need a right 403 @spec-7.3', () => {
  for (const row of Object.values(api.paths)) {
    for (const operation of Object.values(row)) {
      const needs = operation['x-needs']
      if (needs !== 'anyone') expect(operation.responses).toHaveProperty('401')
      if (!['anyone', 'session'].includes(needs)) expect(operation.responses).toHaveProperty('403')
    }
  }
})

test('the description of a route has its parameters and the shape of its body', () => {
  expect(api.servers).toEqual([{ url: '/files' }])
  const preview = api.paths['/api/preview/{size}/{path}']?.get
  expect(preview?.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    'size',
    'path',
  ])
  const share =
    api.paths['/api/share/{path}']?.post?.requestBody?.content['application/json']?.schema
  expect(share).toMatchObject({
    type: 'object',
    properties: { expires: {}, unit: {}, password: {} },
  })
})

test('the page that documents the API loads no other file', async () => {
  const answer = await fetch(server.url + API.docs)
  const page = await answer.text()
  for (const { docs } of ROUTES)
    expect(page).toContain(docs.summary.split('`')[0]?.slice(0, 20).replaceAll("'", '&#39;') ?? '')
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//)
  expect(page).not.toContain('<script')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
})
