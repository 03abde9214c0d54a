/** The table of permissions, and whose objects a user manages. */
import { expect, test } from 'bun:test'
import type { Actor } from '#server/access/actor.ts'
import { appPasswordCeiling, SHARE_CEILING } from '#server/access/ceiling.ts'
import {
  allowedPaths,
  may,
  mayManage,
  requireAction,
  requirePermission,
  visiblePaths,
} from '#server/access/policy.ts'
import { isFault } from '#wire/fault.ts'
import { DEPTH_MAX, parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import {
  PERMISSIONS,
  type Permission,
  type PolicyAction,
  permissionsOf,
} from '#wire/permissions.ts'

const actor = (more: Partial<Actor> = {}): Actor => ({
  id: 1,
  username: 'anna',
  perm: permissionsOf(),
  scope: ROOT,
  rulesFrom: [ROOT],
  rules: [],
  hideDotfiles: false,
  ...more,
})

/** The permissions that each action needs. */
const NEEDED: Record<PolicyAction, Permission[]> = {
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
}
const ACTIONS = Object.entries(NEEDED) as [PolicyAction, Permission[]][]

test.each(ACTIONS)('the action %s needs these permissions and no others: %j', (action, needed) => {
  expect(may({ perm: permissionsOf(...needed) }, action)).toBe(true)
  for (const missing of needed) {
    const others = PERMISSIONS.filter((name) => name !== missing && name !== 'admin')
    expect(may({ perm: permissionsOf(...others) }, action)).toBe(false)
  }
})

test('a request may do what both the rights of its user and its ceiling allow', () => {
  const mayDo = (holder: Pick<Actor, 'perm' | 'ceiling'>) =>
    ACTIONS.map(([action]) => action).filter((action) => may(holder, action))
  const ceiling = appPasswordCeiling(permissionsOf('download', 'create', 'delete'))
  expect(mayDo({ perm: permissionsOf('download', 'modify'), ceiling })).toEqual([
    'look',
    'download',
  ])
  expect(mayDo({ perm: permissionsOf('admin'), ceiling: SHARE_CEILING })).toEqual([
    'look',
    'download',
  ])
  // However it is stored, an app password never administers and never runs commands.
  const all = appPasswordCeiling(permissionsOf('admin'))
  const administrator = { perm: permissionsOf('admin'), ceiling: all }
  expect(ACTIONS.map(([action]) => action).filter((action) => !may(administrator, action))).toEqual(
    ['execute', 'administer'],
  )
  expect(() => requirePermission(administrator, 'admin')).toThrow()
  expect(() => requirePermission(administrator, 'share')).not.toThrow()
  expect(() => requirePermission({ perm: permissionsOf('admin'), ceiling }, 'share')).toThrow()
})

test('an administrator may do everything', () => {
  const perm = permissionsOf('admin')
  expect(ACTIONS.filter(([action]) => !may({ perm }, action))).toEqual([])
})

test('a refusal says which permission is missing', () => {
  for (const [action, needed] of ACTIONS) {
    if (needed.length === 0) continue
    const refusal = faultOf(() => requireAction(actor(), action))
    expect(refusal).toMatch(/^(You do not have permission to|Only administrators may)/)
  }
  expect(faultOf(() => requireAction(actor(), 'look'))).toBeUndefined()
})

test('a route that needs a permission lets its holders and administrators in', () => {
  for (const permission of PERMISSIONS) {
    expect(faultOf(() => requirePermission(actor(), permission))).toBeDefined()
    for (const perm of [permissionsOf(permission), permissionsOf('admin')]) {
      expect(faultOf(() => requirePermission({ perm }, permission))).toBeUndefined()
    }
  }
})

test('an object is managed by its owner and by administrators', () => {
  expect(mayManage(actor(), 1)).toBe(true)
  expect(mayManage(actor(), 2)).toBe(false)
  expect(mayManage(actor(), undefined)).toBe(false)
  expect(mayManage(actor({ perm: permissionsOf('admin') }), 2)).toBe(true)
})

test('a hidden dotfile hides everything below it, and a share below a dotfile is hidden completely', () => {
  const sees = (more: Partial<Actor>, path: string) =>
    visiblePaths(actor({ hideDotfiles: true, ...more }), false)(parsePath(path))
  expect(['/a', '/a.b', '/a/b.'].map((path) => sees({}, path))).toEqual([true, true, true])
  expect(['/.a', '/.a/b', '/a/.b'].map((path) => sees({}, path))).toEqual([false, false, false])
  expect(sees({ rulesFrom: [parsePath('/.shared')] }, '/a')).toBe(false)
  expect(sees({ hideDotfiles: false }, '/.a')).toBe(true)
})

test('the rules of both names apply to a folder with two names', () => {
  const rules = [{ regex: false, allow: false, path: '/real/secret', regexp: null }]
  const rulesFrom = [parsePath('/link'), parsePath('/real')]
  const sees = visiblePaths(actor({ rules, rulesFrom }), false)
  expect(sees(parsePath('/secret'))).toBe(false)
  expect(sees(parsePath('/open'))).toBe(true)
})

function faultOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (isFault(error, 'forbidden')) return error.message
    throw error
  }
}

test('rules are not evaluated for a path that is too deep', () => {
  const rules = [{ regex: false, allow: false, path: '/private', regexp: null }]
  const allows = allowedPaths(actor({ rules }), false)
  expect(allows('/d'.repeat(DEPTH_MAX) as TreePath)).toBe(true)
  for (const name of ['d', 'long name']) {
    const ask = () => allows(`/${name}`.repeat(DEPTH_MAX + 1) as TreePath)
    expect(ask).toThrow(`at most ${DEPTH_MAX} levels`)
  }
})
