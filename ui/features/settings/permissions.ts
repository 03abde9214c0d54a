/** Dependencies between permissions in a form (docs/specification.md 6). Pure. */
import { type Permission, type Permissions, permissionsOf } from '#wire/permissions.ts'

/** Admin includes all others; share includes download. */
export function withPermission(
  permissions: Permissions,
  name: Permission,
  granted: boolean,
): Permissions {
  if (name === 'admin' && granted) return permissionsOf('admin')
  const next = { ...permissions, [name]: granted }
  return next.share ? { ...next, download: true } : next
}

/** Whether another permission includes this one, so that its checkbox is disabled. */
export function isImplied({ admin, share }: Permissions, name: Permission): boolean {
  return name !== 'admin' && (admin || (name === 'download' && share))
}
