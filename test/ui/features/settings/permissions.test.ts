import { describe, expect, test } from 'bun:test'
import { isImplied, withPermission } from '#ui/features/settings/permissions.ts'
import { PERMISSIONS, permissionsOf } from '#wire/permissions.ts'

describe('permissions in a form', () => {
  test('the permission admin switches every other one on, and their boxes off', () => {
    const admin = withPermission(permissionsOf(), 'admin', true)
    expect(admin).toEqual(permissionsOf('admin'))
    expect(PERMISSIONS.filter((name) => !isImplied(admin, name))).toEqual(['admin'])
  })

  test('the other permissions stay as they were shown when admin goes', () => {
    const perm = withPermission(permissionsOf('admin'), 'admin', false)
    expect(perm).toEqual({ ...permissionsOf('admin'), admin: false })
    expect(isImplied(perm, 'delete')).toBe(false)
  })

  test('a person who may share may download, and cannot be kept from it', () => {
    const perm = withPermission(permissionsOf('create'), 'share', true)
    expect(perm).toEqual(permissionsOf('create', 'share', 'download'))
    expect(isImplied(perm, 'download')).toBe(true)
    expect(isImplied(perm, 'create')).toBe(false)
  })

  test('the permission to download stays when the permission to share goes', () => {
    const perm = withPermission(permissionsOf('share', 'download'), 'share', false)
    expect(perm).toEqual(permissionsOf('download'))
    expect(isImplied(perm, 'download')).toBe(false)
  })
})
