import { describe, expect, test } from 'bun:test'
import '../browser.ts'
import { type Access, checkAccess } from '#ui/app/guard.ts'

const VIEWERS = {
  anonymous: null,
  ana: { perm: { admin: false, share: false } },
  sharer: { perm: { admin: false, share: true } },
  admin: { perm: { admin: true, share: true } },
}

describe('the guard @spec-2.7', () => {
  test.each([
    ['visitor', 'anonymous', 'allow'],
    ['visitor', 'ana', 'allow'],
    ['guest', 'anonymous', 'allow'],
    ['user', 'ana', 'allow'],
    ['sharer', 'ana', '/403'],
    ['sharer', 'sharer', 'allow'],
    ['sharer', 'admin', 'allow'],
    ['admin', 'ana', '/403'],
    ['admin', 'sharer', '/403'],
    ['admin', 'admin', 'allow'],
  ] satisfies [Access, keyof typeof VIEWERS, string][])(
    'a page with the access %s, requested by the viewer %s, results in: %s',
    (access, viewer, result) => {
      const expected = result === 'allow' ? result : { redirect: result }
      expect(checkAccess({ access, viewer: VIEWERS[viewer], url: '/anywhere' })).toEqual(expected)
    },
  )

  test.each(['user', 'sharer', 'admin'] satisfies Access[])(
    'a page with the access %s redirects to the login page, and the login page redirects back',
    (access) => {
      const url = '/files/a%23b/?x=1'
      const result = checkAccess({ access, viewer: null, url })
      expect(result).toEqual({ redirect: '/login?redirect=%2Ffiles%2Fa%2523b%2F%3Fx%3D1' })
      const back = result === 'allow' ? '' : result.redirect
      expect(checkAccess({ access: 'guest', viewer: VIEWERS.ana, url: back })).toEqual({
        redirect: url,
      })
    },
  )

  test('the login page receives the reason why the session ended, and the way back stays', () => {
    const visit = { access: 'user', viewer: null, reason: 'inactivity' } as const
    expect(checkAccess({ ...visit, url: '/files/' })).toEqual({
      redirect: '/login?logout-reason=inactivity',
    })
    const result = checkAccess({ ...visit, url: '/files/a/' })
    expect(result).toEqual({
      redirect: '/login?redirect=%2Ffiles%2Fa%2F&logout-reason=inactivity',
    })
    const back = result === 'allow' ? '' : result.redirect
    expect(checkAccess({ access: 'guest', viewer: VIEWERS.ana, url: back })).toEqual({
      redirect: '/files/a/',
    })
  })

  test('a signed-in user is redirected from the login page @spec-2.8', () => {
    expect(checkAccess({ access: 'guest', viewer: VIEWERS.ana, url: '/login' })).toEqual({
      redirect: '/files/',
    })
  })

  test.each([
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    '/\t/evil',
  ])('sign-in never redirects to %p', (wanted) => {
    const url = `/login?${new URLSearchParams({ redirect: wanted })}`
    expect(checkAccess({ access: 'guest', viewer: VIEWERS.ana, url })).toEqual({
      redirect: '/files/',
    })
  })
})
