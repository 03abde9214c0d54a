/** Unfinished uploads: users see and end their own, administrators those of all users. */

import { z } from 'zod'
import type { UnfinishedUploads } from '#server/files/uploads/unfinished-uploads.ts'
import { API } from '#wire/api/routes.ts'
import { unfinishedUploadShape } from '#wire/api/uploads.ts'
import { Fault } from '#wire/fault.ts'
import type { Call, Route } from '../context/context.ts'
import { QUEUE_RESPONSES } from '../context/route-docs.ts'
import { sendJsonQueued } from '../response/large-json.ts'

export const uploadRoutes: Route[] = [
  {
    method: 'GET',
    path: API.uploads,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Lists unfinished resumable uploads, the largest first',
      responses: {
        200: { description: 'at most 1000 uploads', shape: z.array(unfinishedUploadShape) },
        ...QUEUE_RESPONSES,
      },
    },
    handle(call) {
      const { app, auth } = call.var
      return sendJsonQueued(call, async () => {
        await app.uploads?.unfinished.diskAnswers()
        return (await app.uploads?.unfinished.list(auth.user)) ?? []
      })
    },
  },
  {
    method: 'DELETE',
    path: `${API.uploads}/:id`,
    needs: 'session',
    appPassword: 'none',
    audit: () => ({ action: 'endUpload' }),
    docs: {
      summary: 'Ends an unfinished upload and removes its bytes',
      responses: { 204: 'ended', 404: 'there is no such upload, or it belongs to another user' },
    },
    async handle(call) {
      const { app, auth } = call.var
      await unfinishedOf(call).diskAnswers()
      const ended = await unfinishedOf(call).end(auth.user, call.req.param('id') ?? '')
      const whom = await app.users.findByName(ended.username)
      call.set('auditNote', {
        action: 'endUpload',
        found: { path: ended.path, ownerId: whom?.id },
        whom,
      })
      return new Response(null, { status: 204 })
    },
  },
]

/** @throws Fault notFound (the folder can only be read, so there are none) */
function unfinishedOf({ var: { app } }: Call): UnfinishedUploads {
  if (app.uploads) return app.uploads.unfinished
  throw new Fault('notFound', 'There are no uploads.')
}
