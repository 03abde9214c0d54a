import { expect, test } from 'bun:test'
import '../browser.ts'
import { findRoute } from '#ui/app/routes.tsx'

test.each([
  ['/login', '/login', ''],
  ['/files', '/files', ''],
  ['/files/', '/files', '/'],
  ['/files/a%23b/c', '/files', '/a%23b/c'],
  ['/share/8Kq2/a%23b/', '/share', '/8Kq2/a%23b/'],
  ['/404', '/404', ''],
])('%s is the page of %s', (pathname, prefix, rest) => {
  expect(findRoute(pathname)).toMatchObject({ route: { prefix }, rest })
})

test.each(['/', '/filesystem', '/login/extra', '/other'])('%s is no page', (pathname) => {
  expect(findRoute(pathname)).toBeUndefined()
})
