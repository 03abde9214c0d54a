/** Earlier versions of a file: what it held before it was replaced. */
import { z } from 'zod'
import { Fault } from '#wire/fault.ts'
import { keptShape } from '#wire/response-shapes.ts'
import { API } from '#wire/routes.ts'
import { auditNoteFor } from '../audit.ts'
import type { Call, Route } from '../context.ts'
import { download } from '../download.ts'
import { pathAfter } from '../input.ts'
import { listed } from '../large-json.ts'
import { ok } from '../present.ts'
import { BYTES, DONE, LARGE, NOT_FOUND } from '../route-docs.ts'
import { presentKept } from './trash.ts'

const path = `${API.versions}/*`
const WHICH = 'the number of a version'

export const versionRoutes: Route[] = [
  {
    method: 'GET',
    path,
    needs: 'session',
    audit: (call) =>
      call.req.query('id') === undefined ? undefined : auditNoteFor('download', API.versions)(call),
    docs: {
      summary:
        'Lists the earlier versions of a file, newest first; with `id` sends the bytes of one',
      query: { id: WHICH },
      answers: {
        ...BYTES,
        200: { description: 'versions, or the bytes of one', shape: z.array(keptShape) },
        403: 'a rule denies it, or the right to download is missing',
        404: `${NOT_FOUND}, or no such version`,
        415: 'no regular file',
        503: 'it is kept on a file system that is not mounted now',
        ...LARGE,
      },
    },
    async handle(call) {
      const { scope, app } = call.var
      const { undo } = app.tree
      const file = pathAfter(call, API.versions).path
      if (call.req.query('id') === undefined) {
        const versions = await undo.versions(scope, file)
        return listed(call, async () => versions.map((kept) => presentKept(call, kept)))
      }
      const { real } = await scope.stat(file)
      const version = undo.version(scope, idOf(call), real)
      return download(call, scope, file, async (range) => {
        if (scope.trash) return scope.trash.read(version, range)
        throw new Fault('notFound', NOT_FOUND)
      })
    },
  },
  {
    method: 'POST',
    path,
    needs: 'modify',
    audit: auditNoteFor('restore', API.versions),
    docs: {
      summary:
        'Puts an earlier version in the place of a file; what it held is a version from then on',
      query: { id: WHICH },
      answers: {
        200: DONE,
        403: 'the right to it is missing, or a rule denies it',
        404: `${NOT_FOUND}, or no such version`,
        423: 'the system uses the file',
        500: 'an event’s command failed',
        503: 'it is kept on a file system that is not mounted now',
      },
    },
    async handle(call) {
      const { scope, app } = call.var
      const { real } = await scope.stat(pathAfter(call, API.versions).path)
      await app.tree.undo.restoreVersion(scope, idOf(call), real)
      return ok(call)
    },
  },
]

/** @throws Fault badRequest */
function idOf(call: Call): number {
  const id = Number(call.req.query('id'))
  if (!Number.isSafeInteger(id)) throw new Fault('badRequest', 'id is the number of a version')
  return id
}
