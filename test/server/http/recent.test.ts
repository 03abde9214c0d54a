/** Routes that change how users sign in, or who they are, ask for a confirmation: a declaration of the route. */
import { expect, test } from 'bun:test'
import { ROUTES } from '#server/http/app.ts'
import { API } from '#wire/api/routes.ts'

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
