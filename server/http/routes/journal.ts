/** The journal of file changes, and undo. */

import { z } from 'zod'
import { may } from '#server/access/policy.ts'
import type { StoredEntry } from '#server/db/rows/journal-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import {
  type JournalEntry,
  journalShape,
  type UndoResult,
  undoResultShape,
} from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { Fault, faultHeader } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { isInside, parsePath, relativePath, type TreePath } from '#wire/paths.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import type { Call, Route } from '../context/context.ts'
import { QUEUE_RESPONSES, type RouteDocs } from '../context/route-docs.ts'
import { jsonBody } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { jsonResponse } from '../response/present.ts'

const query = z.object({
  username: z.string().optional(),
  session: z.string().optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(LIMITS.auditPageMax).default(LIMITS.auditPage),
})

const idShape = z.object({ id: z.number().int().min(1) })
const undoAllShape = z
  .object({
    username: z.string().max(SERVER_LIMITS.usernameMax).optional(),
    session: z.string().max(SERVER_LIMITS.usernameMax).optional(),
    since: z.iso.datetime({ offset: true }),
    preview: z.boolean().default(false),
  })
  .refine(({ username, session }) => username !== undefined || session !== undefined, {
    message: 'name a user or a session',
  })

const UNDO_RESPONSES: RouteDocs['responses'] = {
  403: 'another user has undone or repeated the change, a right is missing now, or a rule denies it',
  404: 'there is no such entry, or another user made the change; or its content was deleted, or its folder does not exist any more',
  409: 'the change is already undone, or a name is taken',
  412: 'a file has changed since; nothing was changed',
  415: 'this server does not keep deleted files',
  423: 'another file system is mounted inside, or the system uses the file',
  500: 'an event’s command failed',
  503: 'the content is on a file system that is not mounted now',
}

export const journalRoutes: Route[] = [
  {
    method: 'GET',
    path: API.journal,
    needs: 'session',
    appPassword: 'wholeFolder',
    docs: {
      summary:
        'Lists changes of files, newest first: for administrators those of all users, for others their own',
      query: {
        username: 'the user name',
        session: 'only changes of this session',
        from: 'a date and time (RFC 3339)',
        before: 'only entries older than the one with this id: the next page',
        limit: 'the maximum number',
      },
      responses: {
        200: { description: 'entries', shape: z.array(journalShape) },
        400: 'the filter is invalid',
        ...QUEUE_RESPONSES,
      },
    },
    handle(call) {
      const parsed = query.safeParse(call.req.query())
      if (!parsed.success) throw refusedQuery(parsed.error)
      const { from, limit, ...filter } = parsed.data
      const fromMs = from === undefined ? {} : { fromMs: Date.parse(from) }
      const { scope, app } = call.var
      const conditions = { ...defined(filter), ...fromMs }
      return sendJsonQueued(call, async () =>
        (await app.tree.journal.list(scope.actor, conditions, limit)).map((entry) =>
          present(call, entry),
        ),
      )
    },
  },
  routeOf('undo', 'Undoes one change'),
  routeOf('redo', 'Repeats a change that was undone'),
  {
    method: 'POST',
    path: `${API.journal}/undo-all`,
    needs: 'admin',
    appPassword: 'none',
    // A preview changes nothing.
    audit: (call) => (call.res.status >= 400 ? { action: 'undo' } : undefined),
    docs: {
      summary: 'Undoes all changes of a user or session since a time, newest first',
      body: undoAllShape,
      responses: {
        200: {
          description: 'each change, with the reason if it was not undone',
          shape: z.array(undoResultShape),
        },
        ...UNDO_RESPONSES,
        ...QUEUE_RESPONSES,
      },
    },
    slow: true,
    async handle(call) {
      const { since, preview, ...owner } = await jsonBody(call, undoAllShape)
      const { scope, app } = call.var
      const { journal, undo } = app.tree
      const filter = { ...defined(owner), fromMs: Date.parse(since) }
      const entries = await journal.inEffect(scope.actor, filter)
      const outcomes = await undo.undoAll(scope, entries, preview)
      if (!preview) noteUndone(call, outcomes)
      return sendJsonQueued(call, async () =>
        Promise.all(
          outcomes.map(async ({ entry, problem }) => ({
            id: entry.id,
            undoneBy: (await journal.find(entry.id))?.undoneBy ?? 0,
            fault: problem ? faultHeader(problem) : '',
            problem: problem?.message ?? '',
          })),
        ),
      )
    },
  },
]

/** The route that undoes or redoes the entry whose id is in the body. */
function routeOf(verb: 'undo' | 'redo', summary: string): Route {
  return {
    method: 'POST',
    path: `${API.journal}/${verb}`,
    needs: 'session',
    appPassword: 'wholeFolder',
    audit: () => ({ action: verb }),
    docs: {
      summary,
      body: idShape,
      responses: {
        200: {
          description: `the change, with the id of the journal entry of the ${verb}`,
          shape: undoResultShape,
        },
        ...UNDO_RESPONSES,
      },
    },
    slow: true,
    async handle(call) {
      const { id } = await jsonBody(call, idShape)
      const { scope, app } = call.var
      await noteEntry(call, verb, id)
      const undoneBy = await app.tree.undo[verb](scope, id)
      return jsonResponse({ id, undoneBy, fault: '', problem: '' } satisfies UndoResult)
    },
  }
}

/** Users who are not administrators see paths relative to their scope, and none outside it. */
function present({ var: { auth } }: Call, entry: StoredEntry): JournalEntry {
  const home = parsePath(auth.user.scope)
  const isAdmin = may(auth.user, 'administer')
  const shown = (path: TreePath | '') => {
    if (isAdmin || path === '') return path
    return isInside(path, home) ? relativePath(path, home) : ''
  }
  return {
    id: entry.id,
    time: new Date(entry.atMs).toISOString(),
    username: entry.username,
    session: entry.session,
    client: entry.client,
    verb: entry.verb,
    path: shown(entry.path),
    to: shown(entry.to),
    undoOf: entry.undoOf,
    undoneBy: entry.undoneBy,
  }
}

/** Notes the path of the change for the audit record. */
async function noteEntry(call: Call, action: 'undo' | 'redo', id: number): Promise<void> {
  const entry = await call.var.app.tree.journal.find(id)
  if (!entry) return
  const { path, userId: ownerId } = entry
  call.set('auditNote', { action, found: { path, ownerId } })
}

/** Notes for the audit record whose changes were undone, and how many. */
function noteUndone(
  call: Call,
  outcomes: readonly { entry: StoredEntry; problem: Fault | undefined }[],
): void {
  const times = outcomes.filter(({ problem }) => problem === undefined).length
  const [first] = outcomes
  if (!first || times === 0) return
  const { userId: id, username } = first.entry
  call.set('auditNote', { action: 'undo', whom: { id, username }, times })
}

function refusedQuery(error: z.ZodError): Fault {
  return new Fault('badRequest', sentenceOf(error))
}

/** Removes undefined fields. */
function defined<T extends object>(filter: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const pairs = Object.entries(filter).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs) as { [Key in keyof T]: Exclude<T[Key], undefined> }
}
