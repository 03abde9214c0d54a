import { expect, test } from 'bun:test'
import { changesBetween } from '#ui/lib/accounts/changes.ts'
import { isGuarded } from '#ui/lib/accounts/user-changes.ts'
import type { User } from '#wire/api/user.ts'
import { permissionsOf } from '#wire/permissions.ts'

const ANA: User = {
  id: 2,
  username: 'ana',
  password: '',
  scope: '/ana',
  locale: 'en',
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  hideDotfiles: false,
  dateFormat: false,
  sorting: { by: 'name', asc: true },
  aceEditorTheme: '',
  lockPassword: false,
  perm: permissionsOf('create'),
  commands: [],
  rules: [],
}

test('only changed fields are sent, and an empty password is no change', () => {
  expect(changesBetween(ANA, structuredClone(ANA))).toEqual({})
  expect(changesBetween(ANA, { ...ANA, locale: 'de', commands: ['git'] })).toEqual({
    locale: 'de',
    commands: ['git'],
  })
})

test.each([
  [{ locale: 'de', singleClick: true }, false],
  [{ username: 'anna' }, true],
  [{ password: 'a new one' }, true],
  [{ scope: '/' }, true],
  [{ lockPassword: true }, true],
  [{ perm: permissionsOf('admin') }, true],
  [{ commands: ['ls'] }, true],
  [{ rules: [{ allow: false, regex: false, path: '/x', regexp: null }] }, true],
] satisfies [Partial<User>, boolean][])(
  'the change %j requires the user’s own password: %p',
  (changes, guarded) => {
    expect(isGuarded(changesBetween(ANA, { ...ANA, ...changes }))).toBe(guarded)
  },
)
