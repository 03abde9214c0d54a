import { describe, expect, test } from 'bun:test'
import { isImplied, withPermission } from '#ui/lib/accounts/permissions.ts'
import { PERMISSIONS, permissionsOf } from '#wire/permissions.ts'

describe('permissions in a form', () => {
  test('the permission admin sets every other one and disables their checkboxes @spec-4.11', () => {
    const admin = withPermission(permissionsOf(), 'admin', true)
    expect(admin).toEqual(permissionsOf('admin'))
    expect(PERMISSIONS.filter((name) => !isImplied(admin, name))).toEqual(['admin'])
  })

  test('the other permissions keep their values when admin is removed', () => {
    const perm = withPermission(permissionsOf('admin'), 'admin', false)
    expect(perm).toEqual({ ...permissionsOf('admin'), admin: false })
    expect(isImplied(perm, 'delete')).toBe(false)
  })

  test('the share permission includes the download permission @spec-6.2', () => {
    const perm = withPermission(permissionsOf('create'), 'share', true)
    expect(perm).toEqual(permissionsOf('create', 'share', 'download'))
    expect(isImplied(perm, 'download')).toBe(true)
    expect(isImplied(perm, 'create')).toBe(false)
  })

  test('the download permission stays when the share permission is removed', () => {
    const perm = withPermission(permissionsOf('share', 'download'), 'share', false)
    expect(perm).toEqual(permissionsOf('download'))
    expect(isImplied(perm, 'download')).toBe(false)
  })
})
