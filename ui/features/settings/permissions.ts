/** How permissions hang together in a form (docs/specification.md 6). Pure. */
import { type Permission, type Permissions, permissionsOf } from '#wire/permissions.ts'

/** Admin switches all others on; who may share may download. */
export function withPermission(
  permissions: Permissions,
  name: Permission,
  granted: boolean,
): Permissions {
  if (name === 'admin' && granted) return permissionsOf('admin')
  const next = { ...permissions, [name]: granted }
  return next.share ? { ...next, download: true } : next
}

/** Whether another permission decides this one, so that its box cannot be changed. */
export function isImplied({ admin, share }: Permissions, name: Permission): boolean {
  return name !== 'admin' && (admin || (name === 'download' && share))
}
