/** App passwords: what programs and scripts sign in with (docs/api.md 32). They are managed only in a session. */
import { z } from 'zod'
import { may, mayManage } from '#server/access/policy.ts'
import type { StoredAppPassword } from '#server/db/rows/app-passwords.ts'
import { APP_PERMISSIONS, type AppPassword } from '#wire/api/app-passwords.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { appPasswordShape, newAppPasswordShape } from '#wire/shapes/response-shapes.ts'
import { appPasswordChangeShape, appPasswordRequestShape } from '#wire/shapes/shapes.ts'
import { timeOrEmpty } from '#wire/units.ts'
import type { Call, Route } from '../context/context.ts'
import { OK_TEXT, QUEUE_RESPONSES } from '../context/route-docs.ts'
import { flag, jsonBody } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

const ONE = `${API.appPasswords}/:id{[0-9]+}`
const NONE_SUCH = 'there is no such app password, or it belongs to another user'

export const appPasswordRoutes: Route[] = [
  {
    method: 'GET',
    path: API.appPasswords,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Lists app passwords',
      query: { all: '`true`: those of all users; only for administrators' },
      responses: {
        200: { description: 'the newest first', shape: z.array(appPasswordShape) },
        403: 'only administrators may list those of all users',
        ...QUEUE_RESPONSES,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      const all = flag(call, 'all')
      if (all && !may(auth.user, 'administer')) {
        throw new Fault('forbidden', 'Only administrators may list the app passwords of all users.')
      }
      const names = new Map(
        all ? (await app.users.list()).map((user) => [user.id, user.username]) : [],
      )
      return sendJsonQueued(call, async () =>
        Promise.all(
          (await app.appPasswords.list(all ? undefined : auth.user.id)).map((stored) =>
            shown(call, stored, names.get(stored.userId)),
          ),
        ),
      )
    },
  },
  {
    method: 'POST',
    path: API.appPasswords,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    audit: ({ var: { auth } }) => ({ action: 'addAppPassword', whom: auth?.user }),
    docs: {
      summary: 'Makes an app password',
      body: appPasswordRequestShape,
      responses: {
        201: {
          description: 'the app password with its text, which only this response contains',
          shape: newAppPasswordShape,
        },
        400: 'the name is missing, the end is in the past, or the current password is wrong',
        403: 'the user may not see the folder',
        404: 'there is no such folder',
        409: 'the path is not a folder',
        429: 'there are too many, or the current password was wrong too often',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      const { name, application, permissions, folder, expires } = await jsonBody(
        call,
        appPasswordRequestShape,
      )
      const { user } = auth
      const path = parsePath(folder)
      const target = await app.appPasswordAccess.targetFor(user, path)
      const expiresMs = expires === '' ? 0 : Date.parse(expires)
      const request = { name, application, permissions, folder: path, target, expiresMs }
      const { stored, secret } = await app.appPasswords.create(user.id, request)
      const body = { ...(await shown(call, stored)), password: secret }
      return call.body(JSON.stringify(body), 201, {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
      })
    },
  },
  {
    method: 'PATCH',
    path: ONE,
    needs: 'session',
    appPassword: 'none',
    audit: () => ({ action: 'changeAppPassword' }),
    docs: {
      summary: 'Pauses an app password, or resumes it',
      body: appPasswordChangeShape,
      responses: {
        200: { description: 'the app password', shape: appPasswordShape },
        404: NONE_SUCH,
      },
    },
    async handle(call) {
      const { paused } = await jsonBody(call, appPasswordChangeShape)
      const stored = await ownOf(call, 'changeAppPassword')
      await call.var.app.appPasswords.setPaused(stored.id, paused)
      return jsonResponse(await shown(call, { ...stored, isPaused: paused }))
    },
  },
  {
    method: 'DELETE',
    path: ONE,
    needs: 'session',
    appPassword: 'none',
    audit: () => ({ action: 'removeAppPassword' }),
    docs: {
      summary: 'Removes an app password; running requests with it end',
      responses: { 200: OK_TEXT, 404: NONE_SUCH },
    },
    async handle(call) {
      const stored = await ownOf(call, 'removeAppPassword')
      await call.var.app.appPasswords.remove(stored.id)
      return okResponse(call)
    },
  },
  {
    method: 'DELETE',
    path: API.appPasswords,
    needs: 'session',
    appPassword: 'none',
    audit: () => ({ action: 'removeAppPassword' }),
    docs: {
      summary: 'Removes all app passwords of the user',
      responses: { 200: OK_TEXT },
    },
    async handle(call) {
      const { app, auth } = call.var
      call.set('auditNote', { action: 'removeAppPassword', whom: auth.user })
      await app.appPasswords.removeAll(auth.user.id)
      return okResponse(call)
    },
  },
]

/**
 * @returns the app password of the request, for its user and administrators
 * @throws Fault notFound, also for one of another user
 */
async function ownOf(call: Call, action: AuditAction): Promise<StoredAppPassword> {
  const { app, auth } = call.var
  const stored = await app.appPasswords.find(Number(call.req.param('id')))
  if (!stored || !mayManage(auth.user, stored.userId))
    throw new Fault('notFound', 'There is no such app password.')
  call.set('auditNote', { action, whom: await app.users.find(stored.userId) })
  return stored
}

async function shown(
  { var: { app } }: Call,
  stored: StoredAppPassword,
  username?: string,
): Promise<AppPassword> {
  return {
    id: stored.id,
    userID: stored.userId,
    ...(username === undefined ? {} : { username }),
    name: stored.name,
    application: stored.application,
    permissions: APP_PERMISSIONS.filter((permission) => stored.permissions[permission]),
    folder: stored.folder,
    ...((await isLost(app, stored)) ? { isLost: true } : {}),
    paused: stored.isPaused,
    created: timeOrEmpty(stored.createdMs),
    expires: timeOrEmpty(stored.expiresMs),
    used: timeOrEmpty(stored.usedMs),
    address: stored.address,
    agent: stored.agent,
  }
}

/** A disk that does not respond says nothing about its folders. */
function isLost(
  { appPasswordAccess }: Call['var']['app'],
  stored: StoredAppPassword,
): Promise<boolean> {
  return appPasswordAccess.isLost(stored).catch(() => false)
}
