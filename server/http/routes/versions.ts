/** Earlier versions of a file: those in the trash, and those in snapshots of the file system, which have negative ids. */
import { z } from 'zod'
import type { SnapshotFile } from '#server/storage/snapshot-file.ts'
import { type TrashItemInfo, trashItemShape } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Call, Route } from '../context/context.ts'
import { FILE_RESPONSES, NOT_FOUND, OK_TEXT, QUEUE_RESPONSES } from '../context/route-docs.ts'
import { auditNoteFor } from '../request/audit.ts'
import { pathAfter } from '../request/input.ts'
import { sendDownload } from '../response/download.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { okResponse } from '../response/present.ts'
import { presentTrashItem } from './trash.ts'

const path = `${API.versions}/*`
const WHICH = 'the number of a version'

export const versionRoutes: Route[] = [
  {
    method: 'GET',
    path,
    needs: 'session',
    appPassword: 'any',
    audit: (call) =>
      call.req.query('id') === undefined ? undefined : auditNoteFor('download', API.versions)(call),
    docs: {
      summary:
        'Lists the earlier versions of a file, newest first; with `id` sends the bytes of one',
      query: { id: WHICH },
      responses: {
        ...FILE_RESPONSES,
        200: { description: 'versions, or the bytes of one', shape: z.array(trashItemShape) },
        403: 'a rule denies it, or the right to download is missing',
        404: `${NOT_FOUND}, or no such version`,
        415: 'it is not a regular file',
        503: 'the content is on a file system that is not mounted now',
        ...QUEUE_RESPONSES,
      },
    },
    async handle(call) {
      const { scope, app } = call.var
      const { userTrash } = app.tree
      const file = pathAfter(call, API.versions).path
      if (call.req.query('id') === undefined) {
        const versions = await userTrash.versions(scope, file)
        const snapshots = await app.snapshots.list(scope, file)
        return sendJsonQueued(call, async () => [
          ...versions.map((item) => presentTrashItem(call, item)),
          ...snapshots.map((snapshot) => presentSnapshot(file, snapshot)),
        ])
      }
      const id = idOf(call)
      call.set('recheckAccess', () => scope.recheck('download', file))
      if (id < 0) {
        return sendDownload(call, scope, file, (range) =>
          app.snapshots.read(scope, file, id, range),
        )
      }
      const { real } = await scope.stat(file)
      const version = await userTrash.getVersion(scope, id, real)
      return sendDownload(call, scope, file, async (range) => {
        if (scope.trash) return scope.trash.read(version, range)
        throw new Fault('notFound', NOT_FOUND)
      })
    },
  },
  {
    method: 'POST',
    path,
    needs: 'modify',
    appPassword: 'any',
    audit: auditNoteFor('restore', API.versions),
    docs: {
      summary: 'Restores an earlier version of a file; the replaced content becomes a version',
      query: { id: WHICH },
      responses: {
        200: OK_TEXT,
        403: 'the right to it is missing, or a rule denies it',
        404: `${NOT_FOUND}, or no such version`,
        423: 'the system uses the file',
        500: 'an event’s command failed',
        503: 'the content is on a file system that is not mounted now',
      },
    },
    async handle(call) {
      const { scope, app } = call.var
      const file = pathAfter(call, API.versions).path
      const id = idOf(call)
      const { real } = await scope.stat(file)
      if (id < 0) await app.snapshots.restore(scope, real, id)
      else await app.tree.userTrash.restoreVersion(scope, id, real)
      return okResponse(call)
    },
  },
]

function presentSnapshot(
  file: TreePath,
  { id, name, sizeBytes, modifiedMs }: SnapshotFile,
): TrashItemInfo {
  const modified = new Date(modifiedMs).toISOString()
  const common = { path: file, isDir: false, username: '', time: modified, modified }
  return { id, ...common, size: sizeBytes, snapshot: name }
}

/** @throws Fault badRequest (`id` is no whole number) */
function idOf(call: Call): number {
  const id = Number(call.req.query('id'))
  if (!Number.isSafeInteger(id))
    throw new Fault('badRequest', 'The parameter id must be the number of a version.')
  return id
}
