/** Lists and ends sessions (docs/decisions.md 7). */

import { z } from 'zod'
import { may, mayManage } from '#server/access/policy.ts'
import type { StoredSession } from '#server/db/rows/sessions.ts'
import { API } from '#wire/api/routes.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import { sessionShape } from '#wire/shapes/response-shapes.ts'
import type { Call, Route } from '../context/context.ts'
import { OK_TEXT, QUEUE_RESPONSES } from '../context/route-docs.ts'
import { flag } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { okResponse } from '../response/present.ts'
import { CLEAR_CACHE } from './session.ts'

export const sessionsRoutes: Route[] = [
  {
    method: 'GET',
    path: API.sessions,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Lists active sessions',
      query: { all: '`true`: the sessions of all users; only for administrators' },
      responses: {
        200: { description: 'sessions', shape: z.array(sessionShape) },
        403: 'only administrators may list the sessions of all users',
        ...QUEUE_RESPONSES,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      const all = flag(call, 'all')
      if (all && !may(auth.user, 'administer')) {
        throw new Fault('forbidden', 'Only administrators may list the sessions of all users.')
      }
      const sessions = all ? await app.sessions.list() : await app.sessions.list(auth.user.id)
      const names = new Map(
        all ? (await app.users.list()).map((user) => [user.id, user.username]) : [],
      )
      return sendJsonQueued(call, async () =>
        sessions.map((session) => present(call, session, names.get(session.userId))),
      )
    },
  },
  {
    method: 'DELETE',
    path: `${API.sessions}/:id`,
    needs: 'session',
    appPassword: 'none',
    audit: () => ({ action: 'endSession' }),
    docs: {
      summary: 'Ends a session',
      responses: { 200: OK_TEXT, 404: 'there is no such session, or it belongs to another user' },
    },
    async handle(call) {
      const { app, auth } = call.var
      const session = await app.sessions.find(call.req.param('id') ?? '')
      // Another user's session is reported as missing.
      const mayEnd = session && mayManage(auth.user, session.userId)
      if (!mayEnd) throw new Fault('notFound', 'There is no such session.')
      call.set('auditNote', { action: 'endSession', whom: await app.users.find(session.userId) })
      await app.sessions.end(session.id)
      return okResponse(call, session.id === auth.session.id ? CLEAR_CACHE : {})
    },
  },
]

function present(call: Call, session: StoredSession, username: string | undefined): SessionInfo {
  const isoTime = (ms: number) => new Date(ms).toISOString()
  return {
    id: session.id,
    userID: session.userId,
    ...(username === undefined ? {} : { username }),
    created: isoTime(session.createdMs),
    seen: isoTime(session.seenMs),
    expires: isoTime(session.expiresMs),
    address: session.address,
    agent: session.agent,
    current: session.id === call.var.auth.session.id,
  }
}
