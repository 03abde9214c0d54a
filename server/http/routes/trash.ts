/** The trash: lists, restores and deletes its items. */
import { z } from 'zod'
import type { Scope } from '#server/access/scope/scope.ts'
import type { TrashItem } from '#server/access/scope/trash-item.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { typeByName } from '#server/files/file-types.ts'
import { freePath } from '#server/files/free-name.ts'
import type { PreviewSource } from '#server/files/previews/preview.ts'
import type { EntryType } from '#wire/api/entry.ts'
import {
  type Restored,
  restoredShape,
  type TrashItemInfo,
  trashItemShape,
} from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { Fault, faultHeader } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { isInside, joinPath, parsePath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import {
  PREVIEW_QUERY,
  PREVIEW_RESPONSES,
  previewSizeOf,
  sendRendered,
} from '../content/preview.ts'
import type { Call, DescribeAudit, FoundPath, Route } from '../context/context.ts'
import { statusOf } from '../context/faults.ts'
import { QUEUE_RESPONSES } from '../context/route-docs.ts'
import { recordAudit } from '../request/audit.ts'
import { flag, jsonBody } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { jsonResponse } from '../response/present.ts'

const pageQuery = z.object({
  before: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER),
  limit: z.coerce.number().int().min(1).max(LIMITS.auditPageMax).default(LIMITS.auditPage),
})

const restoreShape = z.object({
  ids: z.array(z.number().int().min(1)).min(1).max(LIMITS.listMax),
  /** If the name is taken, use the next free one instead of refusing. */
  beside: z.boolean().default(false),
  /** Create missing parent folders. */
  parents: z.boolean().default(false),
})

export const trashRoutes: Route[] = [
  {
    method: 'GET',
    path: API.trash,
    needs: 'session',
    appPassword: 'wholeFolder',
    docs: {
      summary: 'Lists deleted items, newest first, if rules allow their original path',
      query: {
        before: 'only items older than the one with this id: the next page',
        limit: 'the maximum number',
      },
      responses: {
        200: { description: 'items', shape: z.array(trashItemShape) },
        400: 'the query is invalid',
        ...QUEUE_RESPONSES,
      },
    },
    handle(call) {
      const parsed = pageQuery.safeParse(call.req.query())
      if (!parsed.success)
        throw new Fault('badRequest', 'The parameters before and limit must be numbers.')
      const { before, limit } = parsed.data
      const { scope, app } = call.var
      return sendJsonQueued(call, async () =>
        (await app.tree.userTrash.list(scope, before, limit)).map((item) => ({
          ...presentTrashItem(call, item),
          type: typeOf(item),
          expires: expiryOf(call, item),
        })),
      )
    },
  },
  {
    method: 'GET',
    path: `${API.trashPreview}/:size`,
    needs: 'download',
    appPassword: 'wholeFolder',
    docs: {
      summary:
        'Returns a preview of a deleted picture, text or document; the sizes are those of /api/preview',
      query: { id: 'the id of an item', ...PREVIEW_QUERY },
      responses: PREVIEW_RESPONSES,
    },
    slow: true,
    async handle(call) {
      const size = previewSizeOf(call)
      const { scope, app } = call.var
      const item = await app.tree.userTrash.getTrashItem(scope, idOf(call.req.query('id')))
      call.set('recheckAccess', () => scope.recheck('download', item.path))
      const source = contentOfItem(scope, item)
      const opened = await source.read(item.path)
      opened.close()
      return sendRendered(call, source, opened.node, { size })
    },
  },
  {
    method: 'GET',
    path: API.trashExcept,
    needs: 'session',
    appPassword: 'wholeFolder',
    docs: {
      summary:
        'Lists the folders of the user in which deletions are permanent: `/` stands for all folders',
      responses: { 200: { description: 'paths', shape: z.array(z.string()) } },
    },
    handle: async (call) => jsonResponse(await foldersWithoutTrash(call)),
  },
  {
    method: 'POST',
    path: API.trash,
    needs: 'create',
    appPassword: 'wholeFolder',
    audit: auditRefusal('restore'),
    docs: {
      summary:
        'Restores items to their original paths. `beside` chooses another name if the name is taken; `parents` creates missing folders',
      body: restoreShape,
      responses: {
        200: {
          description: 'each item, with its new path or the reason why it stays in the trash',
          shape: z.array(restoredShape),
        },
        ...QUEUE_RESPONSES,
      },
    },
    slow: true,
    async handle(call) {
      const { ids, beside, parents } = await jsonBody(call, restoreShape)
      const restored: Restored[] = []
      for (const id of ids) restored.push(await restore(call, id, { beside, parents }))
      return sendJsonQueued(call, async () => restored)
    },
  },
  {
    method: 'DELETE',
    path: API.trash,
    needs: 'delete',
    appPassword: 'wholeFolder',
    audit: auditRefusal('purge'),
    docs: {
      summary:
        'Permanently deletes items of the trash: the user’s own, for administrators those of all users',
      query: {
        id: 'the id of an item; may be repeated',
        all: '`true` deletes every item that the user may delete',
        forget:
          '`true` removes items from the list whose disk is not mounted; their content stays there, and is listed again when it is mounted',
      },
      responses: {
        204: 'permanently deleted',
        400: 'no item is named',
        403: 'another user has deleted it, or a rule denies it',
        404: 'there is no such item',
        503: 'the disk of an item is not mounted; the others are deleted',
      },
    },
    slow: true,
    async handle(call) {
      const { scope, app } = call.var
      const { userTrash } = app.tree
      const options = {
        onPurged: (path: TreePath) =>
          recordAudit(call, { action: 'purge', found: foundAt(scope, path) }, 204),
        forgetsAway: flag(call, 'forget'),
      }
      if (flag(call, 'all')) {
        await userTrash.purgeAll(scope, options)
        return call.body(null, 204)
      }
      const ids = (call.req.queries('id') ?? []).map(Number)
      if (ids.length === 0 || !ids.every(Number.isSafeInteger)) {
        throw new Fault(
          'badRequest',
          'The parameter id is missing. Name the items by their numbers, such as ?id=1&id=2.',
        )
      }
      await userTrash.purgeEach(scope, ids, options)
      return call.body(null, 204)
    },
  },
]

/** The content of an item of the trash as a source of previews. */
function contentOfItem({ actor, trash }: Scope, item: TrashItem): PreviewSource {
  return {
    actor,
    async read(_path, range) {
      if (trash && !item.isFolder) return trash.read(item, range)
      throw new Fault('unsupported', 'There is no preview of this kind of file.')
    },
  }
}

/** @throws Fault badRequest (it is no whole number) */
function idOf(text: string | undefined): number {
  const id = Number(text)
  if (text && Number.isSafeInteger(id)) return id
  throw new Fault('badRequest', 'The parameter id must be the number of an item.')
}

function typeOf({ path, isFolder, sizeBytes }: StoredTrashItem): EntryType {
  return typeByName({ path, kind: isFolder ? 'folder' : 'file', sizeBytes })
}

/** The trash may delete an item earlier, if it takes too much of the disk. */
function expiryOf({ var: { app } }: Call, { atMs }: StoredTrashItem): string {
  return new Date(atMs + app.config.number('trashDays') * DAY_MS).toISOString()
}

/** Records a request that fails. One that succeeds records each of its items. */
function auditRefusal(action: 'restore' | 'purge'): DescribeAudit {
  return ({ res }) => (res.status < 400 ? undefined : { action })
}

/** The folders without a trash that exist and that the user may see: the names of others stay private. */
async function foldersWithoutTrash({ var: { app, auth, scope } }: Call): Promise<TreePath[]> {
  const home = parsePath(auth.user.scope)
  const { keepsNothingIn } = app.tree
  if (keepsNothingIn.some((folder) => isInside(home, folder))) return [ROOT]
  const inside = keepsNothingIn.filter((folder) => isInside(folder, home))
  const folders = inside.map((folder) => relativePath(folder, home))
  const seen = await Promise.all(
    folders.map((folder) =>
      scope.stat(folder).then(
        () => true,
        () => false,
      ),
    ),
  )
  return folders.filter((_, index) => seen[index])
}

async function restore(
  call: Call,
  id: number,
  { beside, parents }: { beside: boolean; parents: boolean },
): Promise<Restored> {
  const { scope, app } = call.var
  const { userTrash } = app.tree
  let to: TreePath | undefined
  try {
    const { path, isFolder } = await userTrash.getTrashItem(scope, id)
    to = path
    if (beside) to = await freePath(scope, path, isFolder)
    const shares = await userTrash.restore(scope, id, to, { parents })
    const entry = scope.entries.at(-1) ?? 0
    await recordAudit(call, { action: 'restore', found: foundAt(scope, to), entry }, 200)
    return { id, path: to, fault: '', problem: '', shares }
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'internal') throw error
    const fault = faultHeader(error)
    const found = to && { found: foundAt(scope, to) }
    await recordAudit(call, { action: 'restore', ...found, fault }, statusOf(error.code))
    return { id, path: '', fault, problem: error.message, shares: 0 }
  }
}

/** The trash shows its items to all users who may see their paths. */
function foundAt({ actor }: Scope, path: TreePath): FoundPath {
  return { path: joinPath(actor.scope, path), ownerId: undefined }
}

/** The path is relative to the user's scope, and empty outside it. */
export function presentTrashItem({ var: { scope } }: Call, item: StoredTrashItem): TrashItemInfo {
  return {
    id: item.id,
    time: new Date(item.atMs).toISOString(),
    username: item.username,
    path: pathInScope(item.path, scope.actor.scope),
    isDir: item.isFolder,
    size: item.sizeBytes,
    modified: new Date(item.modifiedMs).toISOString(),
  }
}

function pathInScope(path: TreePath, scope: TreePath): string {
  return isInside(path, scope) ? relativePath(path, parsePath(scope)) : ''
}
