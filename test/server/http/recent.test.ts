/** Routes that change how users sign in, or who they are, ask for a confirmation: a declaration of the route. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type App, openApp } from '#server/app.ts'
import { loadConfig } from '#server/config/load.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { ROUTES } from '#server/http/app.ts'
import type { ConfirmedRoute, Route } from '#server/http/context/context.ts'
import { type Listening, serve } from '#server/server.ts'
import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER, TOKEN_HEADER } from '#wire/api/session.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { PASSWORD } from '../../support/server/passwords.ts'
import { freePort } from '../../support/server/ports.ts'

/** Passwords, factors, tokens, links to providers and directories, and users. */
const KINDS = [
  API.users,
  API.invitations,
  API.appPasswords,
  API.secondFactor,
  API.passkeys,
  API.identityLinked,
  API.identityProviders,
  API.identityDirectories,
]

/** Changes of these kinds that need no confirmation, with the reason. */
const WITHOUT: Record<string, string> = {
  [`PATCH ${API.appPasswords}/:id{[0-9]+}`]: 'a pause takes rights away',
  [`DELETE ${API.appPasswords}/:id{[0-9]+}`]: 'it takes rights away',
  [`DELETE ${API.appPasswords}`]: 'it takes rights away',
  [`DELETE ${API.invitations}/:id{[0-9]+}`]: 'it takes rights away',
  [`POST ${API.secondFactor}/confirm`]: 'its secret was made with a confirmation',
  [`POST ${API.passkeys}`]: 'its options were made with a confirmation',
  [`POST ${API.passkeys}/verify/options`]: 'it changes nothing',
  [`PATCH ${API.passkeys}/:id{[A-Za-z0-9_-]+}`]: 'it changes a name for people',
  [`POST ${API.identityProviders}/:id/test`]: 'it changes nothing',
  [`POST ${API.identityDirectories}/:id/test`]: 'it changes nothing',
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const isConfirmed = (route: Route): route is ConfirmedRoute =>
  route.needs !== 'anyone' && route.recent === 'always'
const changes = ROUTES.filter(
  ({ method, path }) =>
    method !== 'GET' && KINDS.some((kind) => path === kind || path.startsWith(`${kind}/`)),
)

test('each change of a password, factor, token, link or user is confirmed, or has a reason', () => {
  const without = changes.filter((route) => route.needs === 'anyone' || !route.recent)
  expect(without.map(nameOf).toSorted()).toEqual(Object.keys(WITHOUT).toSorted())
})

test('no other route asks for a confirmation', () => {
  const others = ROUTES.filter((route) => !changes.includes(route))
  expect(others.filter((route) => route.needs !== 'anyone' && route.recent).map(nameOf)).toEqual([])
})

/** A valid body of the routes that need more than the password. */
const BODIES: Record<string, object> = {
  [API.invitations]: { data: { username: 'ghost' } },
  [API.appPasswords]: { name: 'a program', permissions: [] },
  [API.identityLinked]: { flow: '1' },
  [API.identityLinkedDirectories]: { directory: 'office', username: 'anna', password: 'theirs' },
  [API.identityProviders]: {
    provider: { id: 'home', label: 'Home', issuer: 'https://id.example.org', clientID: 'filemgr' },
  },
  [API.identityDirectories]: {
    directory: {
      id: 'office',
      label: 'Office',
      options: { address: 'ldaps://ldap.example.org', base: 'dc=example' },
    },
  },
}

const folder = temporaryFolder()
let app: App
let server: Listening
let boss: StoredUser
let token: string
let port: string
beforeAll(async () => {
  const root = join(folder.path, 'root')
  mkdirSync(root)
  port = String(await freePort())
  const flags = { root, port, address: '127.0.0.1', database: join(folder.path, 'f.db') }
  app = await openApp(loadConfig({ flags, env: {}, file: undefined }))
  boss = await app.users.create('boss', PASSWORD, { perm: permissionsOf('admin') })
  token = await app.sessions.open(boss, { address: '127.0.0.1', agent: '' })
  server = await serve(app)
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

async function send({ method, path }: Route, password: string): Promise<string> {
  const address = `http://127.0.0.1:${port}${path.replace(/:id(\{[^}]*\})?/, '9')}`
  const response = await fetch(address, {
    method,
    headers: { [TOKEN_HEADER]: token },
    body: JSON.stringify({ ...BODIES[path.replace(/\/:id$/, '')], current_password: password }),
  })
  return `${response.status} ${response.headers.get(FAULT_HEADER)}`
}

test('no handler of a confirmed route runs before the user has confirmed', async () => {
  const confirmed = ROUTES.filter(isConfirmed)
  expect(confirmed.length).toBeGreaterThan(15)
  for (const route of confirmed) {
    using handle = spyOn(route, 'handle')
    const answer = await send(route, '')
    expect([nameOf(route), answer, handle.mock.calls.length]).toEqual([
      nameOf(route),
      '400 badRequest; reason=currentPasswordWrong',
      0,
    ])
  }
})

test('a user who loses the rights while the password is compared is refused', async () => {
  const route = ROUTES.filter(isConfirmed).find(({ path }) => path === API.identityDirectories)
  if (!route) throw new Error('There is no such route.')
  await app.users.create('other', PASSWORD, { perm: permissionsOf('admin') })
  const confirm = app.confirmations.confirm.bind(app.confirmations)
  using _ = spyOn(app.confirmations, 'confirm').mockImplementation(async (...sent) => {
    await confirm(...sent)
    return app.users.update(boss.id, { perm: permissionsOf() })
  })
  expect(await send(route, PASSWORD)).toStartWith('401 unauthenticated')
  expect(await app.directories.list()).toEqual([])
})
