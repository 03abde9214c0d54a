import { expect, test } from 'bun:test'
import '../browser.ts'
import { isValidElement } from 'react'
import { findRoute } from '#ui/app/routes.tsx'

test.each([
  ['/login', '/login', ''],
  ['/files', '/files', ''],
  ['/files/', '/files', '/'],
  ['/files/a%23b/c', '/files', '/a%23b/c'],
  ['/share/8Kq2/a%23b/', '/share', '/8Kq2/a%23b/'],
  ['/404', '/404', ''],
  ['/settings', '/settings', ''],
  ['/settings/', '/settings', '/'],
  ['/settings/profile', '/settings/profile', ''],
  ['/settings/shares', '/settings/shares', ''],
  ['/settings/global/', '/settings/global', '/'],
  ['/settings/users', '/settings/users', ''],
  ['/settings/users/12', '/settings/users', '/12'],
  ['/settings/users/new', '/settings/users', '/new'],
])('the URL %s opens the page %s @spec-2.7', (pathname, prefix, rest) => {
  expect(findRoute(pathname)).toMatchObject({ route: { prefix }, rest })
})

test.each([
  ['', { name: 'users' }],
  ['/', { name: 'users' }],
  ['/new', { name: 'newUser' }],
  ['/new/', { name: 'newUser' }],
  ['/12', { name: 'user', id: 12 }],
  ['/12/', { name: 'user', id: 12 }],
  ['/12/x', undefined],
  ['//12', undefined],
  ['/other', undefined],
])('below the users, the URL %p opens its screen', (rest, screen) => {
  const page = findRoute('/settings/users')?.route.page(rest)
  expect(isValidElement<{ screen?: object }>(page) && page.props.screen).toEqual(screen as never)
})

test.each([
  ['', { name: 'global', section: 'branding' }],
  ['/', { name: 'global', section: 'branding' }],
  ['/access', { name: 'global', section: 'access' }],
  ['/access/', { name: 'global', section: 'access' }],
  ['/access/x', undefined],
  ['/other', undefined],
])('below the global settings, the URL %p opens its section', (rest, screen) => {
  const page = findRoute('/settings/global')?.route.page(rest)
  expect(isValidElement<{ screen?: object }>(page) && page.props.screen).toEqual(screen as never)
})

test.each(['/', '/filesystem', '/login/extra', '/other', '/settings/other', '/settings/profile/x'])(
  'the URL %s opens no page',
  (pathname) => {
    expect(findRoute(pathname)).toBeUndefined()
  },
)

test.each([
  ['/settings/profile', 'user'],
  ['/settings/shares', 'sharer'],
  ['/settings/global', 'admin'],
  ['/settings/users', 'admin'],
  ['/settings/users/new', 'admin'],
] as const)('the page %s requires the access %s', (pathname, access) => {
  expect(findRoute(pathname)?.route.access).toBe(access)
})
