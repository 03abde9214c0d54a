/** Dependencies between permissions in a form (docs/specification.md 6). Pure. */
import { type Permission, type Permissions, permissionsOf } from '#wire/permissions.ts'

/** Grants or withdraws one permission. Admin includes all others; share includes download. */
export function withPermission(
  permissions: Permissions,
  name: Permission,
  isGranted: boolean,
): Permissions {
  if (name === 'admin' && isGranted) return permissionsOf('admin')
  const changed = { ...permissions, [name]: isGranted }
  return changed.share ? { ...changed, download: true } : changed
}

/** Whether another permission includes this one, so that its checkbox is disabled. */
export function isImplied({ admin, share }: Permissions, name: Permission): boolean {
  return name !== 'admin' && (admin || (name === 'download' && share))
}
