/**
 * The table of actions and permissions, used by the server's policy and by the interface. The permission names are
 * those of File Browser (docs/api.md 4.1); `admin` implies the others.
 */
export const PERMISSIONS = [
  'admin',
  'execute',
  'create',
  'rename',
  'modify',
  'delete',
  'share',
  'download',
] as const

export type Permission = (typeof PERMISSIONS)[number]
export type Permissions = Record<Permission, boolean>

/** The permission for each action. Browsing (`look`) needs only a session. */
const ACTIONS = {
  look: [],
  download: ['download'],
  create: ['create'],
  overwrite: ['modify'],
  modify: ['modify'],
  delete: ['delete'],
  purge: ['delete'],
  copy: ['create'],
  rename: ['rename'],
  share: ['share', 'download'],
  execute: ['execute'],
  administer: ['admin'],
} as const satisfies Record<string, readonly Permission[]>

export type PolicyAction = keyof typeof ACTIONS

/** The actions on a file or folder, about which rules decide too. */
export const PATH_ACTIONS = [
  'look',
  'download',
  'create',
  'overwrite',
  'modify',
  'delete',
  'rename',
  'share',
] as const satisfies readonly PolicyAction[]

export type PathAction = (typeof PATH_ACTIONS)[number]

/** Whether `permissions` allow `action`; rules may still deny single paths. */
export function permits(permissions: Permissions, action: PolicyAction): boolean {
  return permissions.admin || ACTIONS[action].every((needed) => permissions[needed])
}

/** @returns all permissions that `action` needs and `permissions` lack */
export function missingPermissions(permissions: Permissions, action: PolicyAction): Permission[] {
  if (permissions.admin) return []
  return ACTIONS[action].filter((needed) => !permissions[needed])
}

/** The named permissions on and the others off; with `admin`, all are on. */
export function permissionsOf(...granted: Permission[]): Permissions {
  const all = granted.includes('admin')
  const entries = PERMISSIONS.map((name) => [name, all || granted.includes(name)] as const)
  return Object.fromEntries(entries) as Permissions
}

/** `admin` enables all permissions (docs/specification.md 6). */
export function normalPermissions(permissions: Permissions): Permissions {
  return permissions.admin ? permissionsOf('admin') : { ...permissions }
}
