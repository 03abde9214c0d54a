/** Files and folders: look, create, save, remove, copy and move (contract 1.4 and 1.5). */
import { z } from 'zod'
import { openedFile } from '#server/files/file.ts'
import { listing } from '#server/files/listing.ts'
import { transfer } from '#server/files/transfer.ts'
import { SORT_KEYS, type Sorting } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { API } from '#wire/routes.ts'
import type { Call, Route } from '../context.ts'
import { etagOf, ifMatch } from '../download.ts'
import { bodyStream, flag, pathAfter, pathInQuery } from '../input.ts'
import { json, ok } from '../present.ts'

const path = `${API.resources}/*`

export const resourceRoutes: Route[] = [
  {
    method: 'GET',
    path,
    needs: 'session',
    async handle(call) {
      const { scope } = call.var
      const node = await scope.stat(here(call).path)
      if (node.kind === 'folder') return json(await listing(scope, node.path, sortingOf(call)))
      return json(await openedFile(scope, node), { ETag: etagOf(node) })
    },
  },
  {
    method: 'POST',
    path,
    needs: 'create',
    async handle(call) {
      const { scope, app } = call.var
      const target = here(call)
      if (target.asFolder) {
        await scope.mkdir(target.path)
        return ok(call)
      }
      const overwrite = flag(call, 'override')
      await scope.canWrite(target.path, overwrite)
      const body = bodyStream(call, app.config.number('uploadLimit'))
      const node = await scope.write(target.path, body, { overwrite, modifiedMs: modifiedMs(call) })
      return ok(call, { ETag: etagOf(node) })
    },
  },
  {
    method: 'PUT',
    path,
    needs: 'modify',
    async handle(call) {
      const target = here(call)
      if (target.asFolder) throw new Fault('methodNotAllowed', 'A folder has no content to save.')
      const body = bodyStream(call, call.var.app.config.number('uploadLimit'))
      const node = await call.var.scope.save(target.path, body, ifMatch(call))
      return ok(call, { ETag: etagOf(node) })
    },
  },
  {
    method: 'DELETE',
    path,
    needs: 'delete',
    slow: true,
    async handle(call) {
      await call.var.scope.remove(here(call).path)
      return call.body(null, 204)
    },
  },
  {
    method: 'PATCH',
    path,
    needs: 'session',
    slow: true,
    async handle(call) {
      const action = call.req.query('action')
      if (action !== 'copy' && action !== 'rename') {
        throw new Fault('badRequest', `unsupported action ${action ?? ''}: invalid request params`)
      }
      await transfer(call.var.scope, {
        action,
        from: here(call).path,
        to: pathInQuery(call, 'destination'),
        override: flag(call, 'override'),
        rename: flag(call, 'rename'),
      })
      return ok(call)
    },
  },
]

function here(call: Call) {
  return pathAfter(call, API.resources)
}

const sortingQuery = z.object({ by: z.enum(SORT_KEYS), asc: z.enum(['true', 'false']) })

/** The person's own order, unless the request asks for another. */
function sortingOf(call: Call): Sorting {
  const asked = sortingQuery.safeParse({ by: call.req.query('by'), asc: call.req.query('asc') })
  if (asked.success) return { by: asked.data.by, asc: asked.data.asc === 'true' }
  return call.var.entrance.user.sorting
}

/** The client's modification time, which a plain upload sends in a header. */
function modifiedMs(call: Call): number | undefined {
  const sent = Number(call.req.header('x-modified') ?? Number.NaN)
  return Number.isFinite(sent) && sent >= 0 ? sent : undefined
}
