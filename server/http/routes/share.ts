/** Public shares of the user (docs/api.md 1.11). */

import { z } from 'zod'
import { may } from '#server/access/policy.ts'
import type { StoredShare } from '#server/db/rows/shares.ts'
import { pacer } from '#server/lib/slices.ts'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { shareShape } from '#wire/shapes/response-shapes.ts'
import { newShareShape } from '#wire/shapes/shapes.ts'
import type { Call, Route } from '../context/context.ts'
import { NOT_FOUND, OK_TEXT, QUEUE_RESPONSES } from '../context/route-docs.ts'
import { auditNoteFor } from '../request/audit.ts'
import { jsonBody, jsonBodyOr, pathAfter } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

const path = `${API.share}/*`
/** Of so many shares of a list at most, what is at their paths is looked at. */
const LOOKED_AT_MAX = 1000

export const shareRoutes: Route[] = [
  {
    method: 'GET',
    path: API.shares,
    needs: 'share',
    appPassword: 'wholeFolder',
    docs: {
      summary: 'Lists shares: for administrators those of all users, for others their own',
      responses: { 200: { description: 'shares', shape: z.array(shareShape) }, ...QUEUE_RESPONSES },
    },
    handle: (call) =>
      sendJsonQueued(call, async () =>
        withLosses(call, await call.var.app.shares.list(call.var.scope)),
      ),
  },
  {
    method: 'GET',
    path,
    needs: 'share',
    appPassword: 'wholeFolder',
    docs: {
      summary: 'Lists the shares of a file or folder',
      responses: {
        200: { description: 'shares', shape: z.array(shareShape) },
        403: 'a rule denies it',
        404: NOT_FOUND,
        ...QUEUE_RESPONSES,
      },
    },
    handle(call) {
      const target = pathAfter(call, API.share).path
      return sendJsonQueued(call, async () =>
        withLosses(call, await call.var.app.shares.listFor(call.var.scope, target)),
      )
    },
  },
  {
    method: 'POST',
    path,
    needs: 'share',
    appPassword: 'wholeFolder',
    audit: auditNoteFor('share', API.share),
    docs: {
      summary: 'Creates a share',
      query: {
        expires: 'the same as in the body, which comes first',
        unit: 'the same as in the body, which comes first',
      },
      body: newShareShape,
      responses: {
        200: { description: 'the share', shape: shareShape },
        403: 'a rule denies it',
        404: NOT_FOUND,
        429: 'this user has too many shares, or creates too many at a time',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      const target = pathAfter(call, API.share).path
      // Some clients send the duration only in the query, without a body.
      const { expires, unit } = call.req.query()
      const body =
        expires === undefined
          ? await jsonBody(call, newShareShape)
          : await jsonBodyOr(call, newShareShape, {})
      const options = {
        password: body.password,
        expires: body.expires ?? expires,
        unit: body.unit ?? unit,
        message: body.message,
        showOwner: body.showOwner,
      }
      const share = await call.var.app.shares.create(call.var.scope, target, options)
      return jsonResponse((await presentShares(call, [share]))[0])
    },
  },
  {
    method: 'POST',
    path: `${API.shares}/:hash`,
    needs: 'share',
    appPassword: 'wholeFolder',
    audit: (call) => ({ action: 'share', share: call.req.param('hash') ?? '' }),
    docs: {
      summary: 'Shares what has the name now, for a share that has lost its file or folder',
      responses: {
        200: OK_TEXT,
        403: 'it belongs to another user, or a rule denies it',
        404: 'there is no such share, or nothing has the name',
      },
    },
    async handle(call) {
      const { app, scope } = call.var
      await app.shareOpener.adopt(scope, call.req.param('hash') ?? '')
      return okResponse(call)
    },
  },
  {
    method: 'DELETE',
    path: `${API.share}/:hash`,
    needs: 'share',
    appPassword: 'wholeFolder',
    audit: (call) => ({ action: 'unshare', share: call.req.param('hash') ?? '' }),
    docs: {
      summary: 'Removes a share',
      responses: { 200: OK_TEXT, 403: 'it belongs to another user', 404: 'there is no such share' },
    },
    async handle(call) {
      await call.var.app.shares.remove(call.var.scope, call.req.param('hash') ?? '')
      return okResponse(call)
    },
  },
]

/** As `presentShares`, with why visitors see nothing of a share. */
async function withLosses(call: Call, shares: StoredShare[]): Promise<Share[]> {
  const presented: Share[] = []
  const pace = pacer()
  for (const [index, share] of (await presentShares(call, shares)).entries()) {
    await pace()
    const stored = index < LOOKED_AT_MAX ? shares[index] : undefined
    const lost = stored && (await call.var.app.shareOpener.objects.lossOf(stored))
    presented.push(lost ? { ...share, lost } : share)
  }
  return presented
}

/** Shares without their secrets; administrators also see the owners. */
export async function presentShares(call: Call, shares: StoredShare[]): Promise<Share[]> {
  const { app, auth } = call.var
  const names = new Map(
    may(auth.user, 'administer')
      ? (await app.users.list()).map(({ id, username }) => [id, username])
      : [],
  )
  return shares.map((share) => {
    const username = names.get(share.userId)
    return {
      hash: share.hash,
      path: share.isFolder && share.path !== '/' ? `${share.path}/` : share.path,
      userID: share.userId,
      expire: share.expiresSec,
      hasPassword: share.passwordHash !== '',
      visits: share.visits,
      ...(share.message && { message: share.message }),
      ...(share.showsOwner && { showOwner: true }),
      ...(username === undefined ? {} : { username }),
    }
  })
}
