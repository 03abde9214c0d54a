/** Invitations: links by which users choose the password of their account (docs/api.md 24). */
import { z } from 'zod'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import * as shapes from '#wire/api/invitations.ts'
import { API } from '#wire/api/routes.ts'
import { codeNeededShape } from '#wire/api/second-factor.ts'
import { Fault } from '#wire/fault.ts'
import { invitationRequestShape } from '#wire/shapes/shapes.ts'
import type { Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { anonymousForm, jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'
import { formText, signedInResponse } from './session.ts'

const token = z.string().max(SERVER_LIMITS.usernameMax)
const tokenBody = z.object({ token })
const acceptBody = z.object({ token, password: formText })

const TOKEN_RESPONSES = {
  404: 'the token is wrong, used, withdrawn, replaced or expired; the response does not say which',
  408: 'the form did not arrive in time',
  429: 'too many attempts',
  503: 'too many requests are waiting',
} as const

export const invitationRoutes: Route[] = [
  {
    method: 'GET',
    path: API.invitations,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Lists the invitations that can still be accepted',
      responses: { 200: { description: 'invitations', shape: z.array(shapes.invitationShape) } },
    },
    handle: async ({ var: { app } }) => jsonResponse(await app.invitations.list()),
  },
  {
    method: 'POST',
    path: API.invitations,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: () => ({ action: 'invite' }),
    docs: {
      summary: 'Invites a user: a new one in `data`, or an existing one in `userID`',
      body: invitationRequestShape,
      responses: {
        201: {
          description: 'the invitation with its token, which only this response contains',
          shape: shapes.newInvitationShape,
        },
        404: 'there is no such user',
        405: 'users of this server do not sign in with a password',
        409: 'the name is taken, or a file has the name of a folder in the path',
        429: 'too many invitations are open, or the current password was wrong too often',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      app.invitationAccess.requireEnabled()
      const { data, userID } = await jsonBody(call, invitationRequestShape)
      if ((data === undefined) === (userID === undefined)) {
        throw new Fault('badRequest', 'Send the data of a new user, or the userID of another user.')
      }
      const whom = data ? { username: data.username ?? '' } : await app.users.find(Number(userID))
      call.set('auditNote', { action: 'invite', whom })
      const findCurrentUser = () => app.sessions.userOf(auth.session.id)
      const invitation = data
        ? await app.userAdmin.invite(auth.user, data, findCurrentUser)
        : await app.userAdmin.inviteAgain(auth.user, Number(userID))
      return call.body(JSON.stringify(invitation), 201, {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
      })
    },
  },
  {
    method: 'DELETE',
    path: `${API.invitations}/:id{[0-9]+}`,
    needs: 'admin',
    appPassword: 'none',
    audit: () => ({ action: 'uninvite' }),
    docs: {
      summary: 'Withdraws the invitation of a user, by the user’s id',
      responses: { 200: OK_TEXT, 404: 'there is no such invitation' },
    },
    async handle(call) {
      const { app } = call.var
      const id = Number(call.req.param('id'))
      call.set('auditNote', { action: 'uninvite', whom: await app.users.find(id) })
      await app.invitations.withdraw(id)
      return okResponse(call)
    },
  },
  {
    method: 'POST',
    path: API.invitation,
    needs: 'anyone',
    docs: {
      summary: 'Returns the user that an invitation is for, by its token',
      body: tokenBody,
      responses: {
        200: {
          description: 'the user that the invitation is for',
          shape: shapes.invitationShownShape,
        },
        ...TOKEN_RESPONSES,
      },
    },
    async handle(call) {
      const sent = await anonymousForm(call, tokenBody)
      return jsonResponse(await call.var.app.invitationAccess.show(sent.token, call.var.address))
    },
  },
  {
    method: 'POST',
    path: API.acceptInvitation,
    needs: 'anyone',
    audit: () => ({ action: 'acceptInvitation' }),
    docs: {
      summary: 'Accepts an invitation: sets the password and signs in',
      body: acceptBody,
      responses: {
        200: { description: 'the token, also as the cookie `auth`', type: 'text/plain' },
        401: {
          description: 'the password is set, and the account needs a code to sign in',
          shape: codeNeededShape,
        },
        ...TOKEN_RESPONSES,
      },
    },
    async handle(call) {
      const { app, address } = call.var
      const sent = await anonymousForm(call, acceptBody)
      const agent = call.req.header('user-agent') ?? ''
      const accepting = app.invitationAccess.accept(sent.token, sent.password, { address, agent })
      return signedInResponse(call, 'acceptInvitation', accepting)
    },
  },
]
