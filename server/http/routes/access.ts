/** Who can open a file or folder (docs/api.md 29). */
import { may } from '#server/access/policy.ts'
import type { StoredShare } from '#server/db/rows/shares.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { API } from '#wire/api/routes.ts'
import { isFault } from '#wire/fault.ts'
import { isInside, joinPath, parsePath, relativePath, type TreePath } from '#wire/paths.ts'
import { type AccessList, accessListShape, type PersonWithAccess } from '#wire/shapes/access.ts'
import type { Call, Route } from '../context/context.ts'
import { NOT_FOUND } from '../context/route-docs.ts'
import { pathAfter } from '../request/input.ts'
import { jsonResponse } from '../response/present.ts'
import { presentShares } from './share.ts'

export const accessRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.access}/*`,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary:
        'Lists who can open a file or folder: its shares, and for administrators also the users',
      responses: {
        200: { description: 'shares and users', shape: accessListShape },
        403: 'a rule denies it',
        404: NOT_FOUND,
      },
    },
    async handle(call) {
      const { scope, auth } = call.var
      const { path } = pathAfter(call, API.access)
      await scope.stat(path)
      const inTree = joinPath(parsePath(auth.user.scope), path)
      const links = presentShares(call, sharesOf(call, inTree))
      const users = may(auth.user, 'administer') ? await usersOf(call, inTree) : {}
      return jsonResponse({ links, ...users } satisfies AccessList)
    },
  },
]

/** What changes an existing file or folder. */
const CHANGES = ['modify', 'rename', 'delete'] as const

/** @returns the shares of a path in the served tree, or of a folder above it: the user's, for administrators all */
function sharesOf({ var: { app, scope } }: Call, fullPath: TreePath): StoredShare[] {
  if (!may(scope.actor, 'share')) return []
  // User id → the user's scope.
  const scopes = new Map<number, TreePath | undefined>()
  return app.shares.list(scope).filter(({ userId, path, isFolder }) => {
    if (!scopes.has(userId)) scopes.set(userId, scopeOf(app.users.find(userId)))
    const base = scopes.get(userId)
    const shared = base && joinPath(base, path)
    return shared === fullPath || (isFolder && shared !== undefined && isInside(fullPath, shared))
  })
}

function scopeOf(user: StoredUser | undefined): TreePath | undefined {
  return user && parsePath(user.scope)
}

/** Each user is checked, because rules may deny the path to some. */
async function usersOf({ var: { app } }: Call, fullPath: TreePath) {
  const usersWithPath = app.users.list().filter(({ scope }) => isInside(fullPath, parsePath(scope)))
  const checkedUsers = usersWithPath.slice(0, SERVER_LIMITS.accessUsersMax)
  const users: PersonWithAccess[] = []
  for (const user of checkedUsers) {
    const base = parsePath(user.scope)
    const scope = app.scopeOf(user)
    const node = await scope.stat(relativePath(fullPath, base)).catch((error: unknown) => {
      if (isFault(error)) return undefined
      throw error
    })
    if (!node) continue
    const rights = CHANGES.some((action) => scope.may(action))
      ? 'change'
      : scope.may('download')
        ? 'download'
        : 'look'
    users.push({ username: user.username, isAdmin: user.perm.admin, scope: base, may: rights })
  }
  return { people: users, ...(usersWithPath.length > checkedUsers.length && { isPartial: true }) }
}
