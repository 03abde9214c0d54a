/** Who can open a file or folder, and why (docs/api.md 29). */
import { z } from 'zod'
import { explain } from '#server/access/explain.ts'
import { may, requireAction } from '#server/access/policy.ts'
import type { StoredShare } from '#server/db/rows/shares.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { API } from '#wire/api/routes.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { isInside, joinPath, parsePath, relativePath, type TreePath } from '#wire/paths.ts'
import { PATH_ACTIONS } from '#wire/permissions.ts'
import {
  type AccessDecision,
  type AccessList,
  type AccessReasons,
  accessListShape,
  accessReasonsShape,
  type PersonWithAccess,
} from '#wire/shapes/access.ts'
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
        'Lists who can open a file or folder: its shares, and for administrators also the users. With `why=1`: what the caller, or the user `as`, may do with it, and what decides that',
      query: {
        why: 'whether the decisions are returned instead',
        as: 'the name of another user, for administrators',
        appPassword: 'the id of an app password of that user, which limits it',
      },
      responses: {
        200: {
          description: 'shares and users',
          shape: z.union([accessListShape, accessReasonsShape]),
        },
        403: 'a rule denies it',
        404: NOT_FOUND,
      },
    },
    async handle(call) {
      const { scope, auth } = call.var
      const { path } = pathAfter(call, API.access)
      if (call.req.query('why') === '1') return jsonResponse(await reasonsFor(call, path))
      await scope.stat(path)
      const inTree = joinPath(parsePath(auth.user.scope), path)
      const links = await presentShares(call, await sharesOf(call, inTree))
      const users = may(auth.user, 'administer') ? await usersOf(call, inTree) : {}
      return jsonResponse({ links, ...users } satisfies AccessList)
    },
  },
]

/**
 * What a user may do with a path of the caller, and why.
 *
 * @throws Fault forbidden (`as` another user, without the permission to administer), notFound (no such user or app password)
 */
async function reasonsFor(call: Call, path: TreePath): Promise<AccessReasons> {
  const { app, auth } = call.var
  const name = call.req.query('as')
  if (name !== undefined && name !== auth.user.username) requireAction(auth.user, 'administer')
  const user = name === undefined ? auth.user : await app.users.findByName(name)
  if (!user) throw new Fault('notFound', `There is no user “${name}”.`)
  const limited = await limitedUser(call, user)
  const fullPath = joinPath(parsePath(auth.user.scope), path)
  const base = parsePath(limited.scope)
  const { actor } = app.scopeOf(limited)
  const decide = async (): Promise<AccessDecision[]> => {
    if (!isInside(fullPath, base)) {
      const own = parsePath(auth.user.scope)
      const outsideOf = isInside(base, own) ? relativePath(base, own) : base
      const question = { paths: [], foldsCase: false, outsideOf }
      return PATH_ACTIONS.map((action) => explain(actor, { ...question, action }))
    }
    const asked = relativePath(fullPath, base)
    const node = await app.tree.storage.find(fullPath)
    const real = node && isInside(node.real, base) ? relativePath(node.real, base) : asked
    const question = {
      paths: real === asked ? [asked] : [asked, real],
      foldsCase: node?.foldsCase ?? false,
    }
    return PATH_ACTIONS.map((action) => explain(actor, { ...question, action }))
  }
  return {
    username: user.username,
    decisions: await decide(),
    rules: [...actor.rules],
    globalRules: actor.rules.length - user.rules.length,
  }
}

/** @returns the user with the rights and the folder of the app password in the query; without one, the user */
async function limitedUser(call: Call, user: StoredUser): Promise<StoredUser> {
  const id = call.req.query('appPassword')
  if (id === undefined) return user
  const { appPasswords, appPasswordAccess } = call.var.app
  const stored = (await appPasswords.list(user.id)).find((known) => String(known.id) === id)
  if (!stored) throw new Fault('notFound', 'There is no such app password.')
  try {
    return await appPasswordAccess.presentUser(stored.id)
  } catch (error) {
    if (!isFault(error, 'unauthenticated')) throw error
    throw new Fault('notFound', 'This app password is paused or has ended.')
  }
}

/** What a user may do with a file or folder, the most first, and its name in the list. */
const MOST_FIRST = [
  ['modify', 'change'],
  ['delete', 'delete'],
  ['rename', 'rename'],
  ['download', 'download'],
] as const

/** @returns the shares of a path in the served tree, or of a folder above it: the user's, for administrators all */
async function sharesOf({ var: { app, scope } }: Call, fullPath: TreePath): Promise<StoredShare[]> {
  if (!may(scope.actor, 'share')) return []
  // User id → the user's scope.
  const scopes = new Map<number, TreePath | undefined>()
  const found: StoredShare[] = []
  for (const share of await app.shares.list(scope)) {
    const { userId, path, isFolder } = share
    if (!scopes.has(userId)) scopes.set(userId, scopeOf(await app.users.find(userId)))
    const base = scopes.get(userId)
    const shared = base && joinPath(base, path)
    if (shared === undefined) continue
    if (shared === fullPath || (isFolder && isInside(fullPath, shared))) found.push(share)
  }
  return found
}

function scopeOf(user: StoredUser | undefined): TreePath | undefined {
  return user && parsePath(user.scope)
}

/** Each user is checked, because rules may deny the path to some. */
async function usersOf({ var: { app } }: Call, fullPath: TreePath) {
  const usersWithPath = (await app.users.list()).filter(({ scope }) =>
    isInside(fullPath, parsePath(scope)),
  )
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
    const [, most = 'look'] = MOST_FIRST.find(([action]) => scope.may(action)) ?? []
    users.push({ username: user.username, isAdmin: user.perm.admin, scope: base, may: most })
  }
  return { people: users, ...(usersWithPath.length > checkedUsers.length && { isPartial: true }) }
}
