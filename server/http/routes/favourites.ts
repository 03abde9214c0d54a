/** Favourite folders and recently used files (docs/api.md 27). */
import { z } from 'zod'
import { entryOf } from '#server/files/entry.ts'
import { typeByName } from '#server/files/file-types.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import type { Entry } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { isFault } from '#wire/fault.ts'
import { isInside, parsePath, relativePath, type TreePath } from '#wire/paths.ts'
import { entryShape } from '#wire/shapes/response-shapes.ts'
import type { Call, Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

const paths = z.array(z.string())

export const favouriteRoutes: Route[] = [
  {
    method: 'GET',
    path: API.favourites,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Lists the user’s favourite folders in their order',
      responses: { 200: { description: 'paths', shape: paths } },
    },
    handle: async ({ var: { app, auth } }) => jsonResponse(await app.favourites.of(auth.user.id)),
  },
  {
    method: 'PUT',
    path: API.favourites,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Replaces the list of the user’s favourite folders',
      body: paths,
      responses: { 200: OK_TEXT, 400: 'too many, or no paths' },
    },
    async handle(call) {
      const { app, auth } = call.var
      await app.favourites.put(auth.user.id, await jsonBody(call, paths))
      return okResponse(call)
    },
  },
  {
    method: 'GET',
    path: API.recent,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Lists the files that the user opened or changed last, newest first',
      responses: { 200: { description: 'files', shape: z.array(entryShape) } },
    },
    handle: async (call) => jsonResponse(await recentFiles(call)),
  },
]

/** Audit actions that count as use of a file, and which path of the record the file has now. */
const USES: Partial<Record<AuditAction, 'path' | 'to'>> = {
  download: 'path',
  open: 'path',
  upload: 'path',
  save: 'path',
  copy: 'to',
  rename: 'to',
  restore: 'path',
}

/** Reads the audit log. Files that no longer exist or may not be seen are left out. */
async function recentFiles({ var: { app, auth, scope } }: Call): Promise<Entry[]> {
  const { id, scope: home } = auth.user
  const files = new Map<TreePath, Entry>()
  const examined = new Set<string>()
  for (const act of await app.audit.find({ userId: id }, SERVER_LIMITS.recentRecords)) {
    const path = act[USES[act.action] ?? 'to']
    if (act.status >= 400 || !(act.action in USES) || path === '' || examined.has(path)) continue
    examined.add(path)
    const entry = await fileAt(scope, path, parsePath(home))
    if (entry) files.set(entry.path, entry)
    if (files.size >= SERVER_LIMITS.recentFiles) break
  }
  return [...files.values()]
}

/** @param path in the served tree, or the raw text of a record */
async function fileAt(scope: Call['var']['scope'], path: string, home: TreePath) {
  try {
    const treePath = parsePath(path)
    if (!isInside(treePath, home)) return undefined
    const node = await scope.stat(parsePath(relativePath(treePath, home)))
    return node.kind === 'file' ? entryOf(node, typeByName(node)) : undefined
  } catch (error) {
    if (isFault(error)) return undefined
    throw error
  }
}
