/** User accounts (docs/api.md 1.12). */

import { z } from 'zod'
import { may, mayManage } from '#server/access/policy.ts'
import type { UserAdmin } from '#server/accounts/users/user-admin.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import type { ListedUser } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { listedUserShape, removalShape, userEnvelope, userShape } from '#wire/shapes/shapes.ts'
import { timeOrEmpty } from '#wire/units.ts'
import type { AnyCall, AuditNote, Call, DescribeAudit, Route } from '../context/context.ts'
import { OK_TEXT, QUEUE_RESPONSES } from '../context/route-docs.ts'
import { pathIn } from '../request/audit.ts'
import { confirmationOf } from '../request/confirmation.ts'
import { jsonBody } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { jsonResponse, okResponse, presentUser } from '../response/present.ts'
import { writeTokenCookie } from './session.ts'

const userPath = `${API.users}/:id{[0-9]+}` as const

const CHECK = {
  check: '`true` only checks whether the request would succeed; nothing changes',
}
const NO_FAULT = 'with `check`: the request would succeed'

export const userRoutes: Route[] = [
  {
    method: 'GET',
    path: API.users,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Lists users',
      responses: {
        200: { description: 'users', shape: z.array(listedUserShape) },
        ...QUEUE_RESPONSES,
      },
    },
    handle: (call) =>
      sendJsonQueued(call, async () =>
        (await call.var.app.users.list()).map(
          (user): ListedUser => ({
            ...presentUser(user, true),
            lastSignIn: timeOrEmpty(user.signedInMs),
          }),
        ),
      ),
  },
  {
    method: 'GET',
    path: userPath,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Returns a user: administrators may read every account, other users only their own',
      responses: {
        200: { description: 'the user', shape: userShape },
        403: 'the account belongs to another user',
        404: 'there is no such user',
      },
    },
    async handle(call) {
      const by = call.var.auth.user
      const id = idOf(call)
      if (!mayManage(by, id))
        throw new Fault('forbidden', 'You do not have permission to see this user.')
      return jsonResponse(presentUser(await call.var.app.users.get(id), may(by, 'administer')))
    },
  },
  {
    method: 'POST',
    path: API.users,
    needs: 'admin',
    appPassword: 'none',
    recent: 'sometimes',
    audit: (call) => (isCheck(call) ? undefined : { action: 'addUser' }),
    docs: {
      summary: 'Creates a user',
      query: CHECK,
      body: userEnvelope,
      responses: {
        204: NO_FAULT,
        201: '`201 Created`; `Location` is the URL of the user, whose folder exists',
        409: 'the name is taken, or a file has the name of a folder in the path',
        429: 'the current password was wrong too often',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      const { which, data, current_password } = await jsonBody(call, userEnvelope)
      if (isCheck(call)) return checked(call, undefined, { which, data })
      const edit = { which, data, confirmation: confirmationOf(call, current_password) }
      call.set('auditNote', { action: 'addUser', whom: { username: data.username ?? '' } })
      const user = await call.var.app.userAdmin.create(call.var.auth.user, edit)
      const location = `${call.var.app.baseURL}/settings/users/${user.id}`
      return call.body('201 Created\n', 201, {
        'Content-Type': 'text/plain; charset=utf-8',
        Location: location,
      })
    },
  },
  {
    method: 'PUT',
    path: userPath,
    needs: 'session',
    appPassword: 'none',
    recent: 'sometimes',
    audit: auditUser('changeUser'),
    docs: {
      summary: 'Changes the fields of a user that are named in `which`',
      query: CHECK,
      body: userEnvelope,
      responses: {
        200: {
          description: 'done; if this ended the own session, `X-Auth` has the token of a new one',
          type: 'text/plain',
        },
        204: NO_FAULT,
        403: 'the user may not change this, or it is the last administrator',
        404: 'there is no such user',
        409: 'the name is taken',
        429: 'the current password was wrong too often',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      const { which, data, current_password } = await jsonBody(call, userEnvelope)
      if (isCheck(call)) return checked(call, idOf(call), { which, data })
      const edit = { which, data, confirmation: confirmationOf(call, current_password) }
      await nameUser(call, 'changeUser')
      const { app, auth } = call.var
      const isEnded = await app.userAdmin.update(auth.user, idOf(call), edit)
      return isEnded && idOf(call) === auth.user.id ? await continued(call) : okResponse(call)
    },
  },
  {
    method: 'DELETE',
    path: userPath,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    audit: auditUser('removeUser'),
    docs: {
      summary: 'Removes a user; the files stay',
      body: removalShape,
      responses: {
        200: OK_TEXT,
        403: 'the account belongs to another user, or is the last administrator',
        404: 'there is no such user',
        429: 'the current password was wrong too often',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      await nameUser(call, 'removeUser')
      await call.var.app.userAdmin.remove(call.var.auth.user, idOf(call))
      return okResponse(call)
    },
  },
]

/** Whether the request only validates a change. Then nothing is recorded. */
function isCheck({ req }: AnyCall): boolean {
  return req.query('check') === 'true'
}

/** Validates a change without making it. */
async function checked(
  call: Call,
  id: number | undefined,
  edit: Parameters<UserAdmin['check']>[2],
): Promise<Response> {
  await call.var.app.userAdmin.check(call.var.auth.user, id, edit)
  return call.body(null, 204)
}

/** A change of the own account has ended its sessions: the response has a new one instead of that of the request. */
async function continued(call: Call): Promise<Response> {
  const { app, address, auth } = call.var
  const user = await app.users.find(auth.user.id)
  if (!user) return okResponse(call)
  const agent = call.req.header('user-agent') ?? ''
  const token = await app.sessions.open(user, { address, agent }, auth.session)
  writeTokenCookie(call, token)
  return okResponse(call, { [TOKEN_HEADER]: token })
}

/** Notes the id in the path and the name of the account; a handler that changes the name calls `nameUser` before. */
function auditUser(action: AuditAction): DescribeAudit {
  return async (call) => (isCheck(call) ? undefined : await userNote(call, action))
}

/** Notes the name of the account before it is renamed or deleted. */
async function nameUser(call: Call, action: AuditAction): Promise<void> {
  call.set('auditNote', await userNote(call, action))
}

async function userNote(call: AnyCall, action: AuditAction): Promise<AuditNote> {
  const whom = await call.var.app.users.find(Number(call.req.param('id')))
  return { action, path: pathIn(call, API.users), whom }
}

function idOf(call: Call): number {
  const id = Number(call.req.param('id'))
  if (Number.isSafeInteger(id)) return id
  throw new Fault('notFound', 'There is no such user.')
}
