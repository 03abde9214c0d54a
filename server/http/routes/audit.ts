/** Reads the audit record: administrators see that of all users, others their own. */

import { z } from 'zod'
import { may } from '#server/access/policy.ts'
import type { AuditFilter, StoredAuditRecord } from '#server/db/rows/audit.ts'
import {
  AUDIT_ACTIONS,
  AUDIT_RESULTS,
  type AuditEntry,
  type ListedAuditEntry,
  type UndoObstacle,
} from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { isInside, joinPath, parsePath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { auditShape, listedAuditShape } from '#wire/shapes/response-shapes.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import type { Call, Route } from '../context/context.ts'
import { QUEUE_RESPONSES } from '../context/route-docs.ts'
import { streamResponse } from '../lifetime/in-flight.ts'
import { disposition } from '../response/disposition.ts'
import { sendTextQueued } from '../response/large-json.ts'
import { JSON_TYPE } from '../response/present.ts'

/** The maximum size of one page as JSON. Paths may be long, and JSON writes a control character as six bytes. */
const PAGE_MAX_BYTES = 4 * 1024 * 1024

const query = z.object({
  username: z.string().optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  result: z.enum(AUDIT_RESULTS).optional(),
  path: z.string().optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(LIMITS.auditPageMax).default(LIMITS.auditPage),
  format: z.enum(['json', 'jsonl', 'csv']).default('json'),
})

export const auditRoutes: Route[] = [
  {
    method: 'GET',
    path: API.audit,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary:
        'Lists the audit record, newest first: for administrators that of all users, for others their own',
      query: {
        username: 'the user name',
        action: `one of ${AUDIT_ACTIONS.map((action) => `\`${action}\``).join(', ')}`,
        result: '`succeeded` or `failed`: refusals and errors are failures',
        path: 'text that the path or the destination contains',
        from: 'a date and time (RFC 3339)',
        until: 'a date and time (RFC 3339)',
        before: 'only records older than the one with this id: the next page',
        limit: 'the maximum number; the response has fewer if they are larger than 4 MiB',
        format: '`json` for one page; `jsonl` and `csv` send all matching records as a file',
      },
      responses: {
        200: { description: 'records', shape: z.array(listedAuditShape) },
        400: 'the filter is invalid',
        ...QUEUE_RESPONSES,
      },
    },
    slow: true,
    async handle(call) {
      const params = parseQuery(call)
      const filter = filterOf(call, params)
      if (params.format === 'json') {
        return sendTextQueued(call, () => pageOf(call, filter, params.limit), JSON_TYPE)
      }
      const isCsv = params.format === 'csv'
      return streamResponse(call, streamOf(lines(call, filter, isCsv)), {
        headers: {
          'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
          'Content-Disposition': disposition('attachment', `audit.${params.format}`),
        },
      })
    },
  },
]

type AuditQuery = z.infer<typeof query>

/** @throws Fault badRequest naming the field */
function parseQuery(call: Call): AuditQuery {
  const parsed = query.safeParse(call.req.query())
  if (parsed.success) return parsed.data
  throw new Fault('badRequest', sentenceOf(parsed.error))
}

function filterOf({ var: { auth } }: Call, params: AuditQuery): AuditFilter {
  const { user } = auth
  return {
    userId: may(user, 'administer') ? undefined : user.id,
    username: params.username,
    action: params.action,
    failed: params.result && params.result === 'failed',
    path: params.path,
    fromMs: params.from && Date.parse(params.from),
    untilMs: params.until && Date.parse(params.until),
    before: params.before,
  } as AuditFilter
}

function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

/** A page as JSON: as many records as fit in 4 MiB, but at least the first, whatever its size. */
async function pageOf(call: Call, filter: AuditFilter, limit: number): Promise<string> {
  const page: string[] = []
  const exists = existenceOf(call)
  // The brackets and commas of the array count too.
  let bytes = 1
  for (const act of await call.var.app.audit.find(filter, limit)) {
    const entry = JSON.stringify(await presentListed(call, act, exists))
    bytes += Buffer.byteLength(entry) + 1
    if (bytes > PAGE_MAX_BYTES && page.length > 0) break
    page.push(entry)
  }
  return `[${page.join(',')}]`
}

/** Yields all matching records, a page of the table at a time. */
async function* lines(call: Call, filter: AuditFilter, isCsv: boolean): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  if (isCsv) yield encoder.encode(`${COLUMNS.join(',')}\r\n`)
  for (let { before } = filter; ; ) {
    const page = await call.var.app.audit.find({ ...filter, before }, LIMITS.auditPageMax)
    if (page.length === 0) return
    const entries = await Promise.all(page.map((act) => present(call, act)))
    yield encoder.encode(
      entries.map(isCsv ? csvLine : (entry) => `${JSON.stringify(entry)}\n`).join(''),
    )
    // A page may be short because its records are long; only an empty one is the end.
    before = page.at(-1)?.id
  }
}

const COLUMNS = auditShape.keyof().options

function csvLine(entry: AuditEntry): string {
  return `${COLUMNS.map((column) => cell(String(entry[column]))).join(',')}\r\n`
}

/** RFC 4180. A cell that a spreadsheet would evaluate as a formula gets a leading apostrophe. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Users who are not administrators see paths relative to their scope, and none outside it. */
async function present(call: Call, act: StoredAuditRecord): Promise<AuditEntry> {
  const { auth } = call.var
  const home = parsePath(auth.user.scope)
  const isAdmin = may(auth.user, 'administer')
  const shown = (path: string) => (isAdmin || path === '' ? path : pathInScope(path, home))
  return {
    id: act.id,
    time: new Date(act.atMs).toISOString(),
    username: act.username,
    session: act.session,
    address: act.address,
    action: act.action,
    path: shown(act.path),
    to: shown(act.to),
    whom: act.whom,
    bytes: act.bytes,
    status: act.status,
    share: act.share,
    times: act.times,
    ...(await entryOf(call, act)),
    fault: act.fault,
    sharePath: isAdmin ? await sharePathOf(call, act.share) : '',
    app: await call.var.app.appPasswords.nameOf(act.session),
  }
}

/** A record of a page: with what is true of it now. */
async function presentListed(
  call: Call,
  act: StoredAuditRecord,
  exists: (path: string) => Promise<boolean>,
): Promise<ListedAuditEntry> {
  const entry = await present(call, act)
  const { path, to, sharePath } = entry
  // A visitor's record has a path below the share; the path of any other record is not joined.
  const isByLink = act.action === 'publicLook' || act.action === 'publicDownload'
  const isKnown = !isByLink || sharePath !== ''
  return {
    ...entry,
    undoObstacle: await undoObstacleOf(call, act),
    pathExists: isKnown && (await exists(isByLink ? `${sharePath}/${path}` : path)),
    toExists: await exists(to),
  }
}

/**
 * @returns a function that looks a path up once: in the served tree for administrators, in the scope for others. What the
 *   reader may not see does not exist for them.
 */
function existenceOf({ var: { auth, scope } }: Call): (path: string) => Promise<boolean> {
  const home = may(auth.user, 'administer') ? parsePath(auth.user.scope) : ROOT
  const known = new Map<string, Promise<boolean>>()
  const look = async (path: string): Promise<boolean> => {
    try {
      const inTree = parsePath(path)
      if (!isInside(inTree, home)) return false
      await scope.stat(relativePath(inTree, home))
      return true
    } catch (error) {
      if (isFault(error)) return false
      throw error
    }
  }
  return async (path) => {
    if (path === '') return false
    const found = known.get(path) ?? look(path)
    known.set(path, found)
    return found
  }
}

/** Why the change of a record cannot be undone any more; empty for one that is undone, or is an undo. */
async function undoObstacleOf(
  { var: { app } }: Call,
  { entry: id, action }: StoredAuditRecord,
): Promise<UndoObstacle | ''> {
  if (id === 0 || action === 'undo') return ''
  const entry = await app.tree.journal.find(id)
  if (!entry) return 'forgotten'
  return entry.undoneBy === 0 && (await app.tree.undo.lacksContent(entry)) ? 'notInTrash' : ''
}

/** @returns what a share leads to, in the served tree; empty if there is no such share */
async function sharePathOf({ var: { app } }: Call, hash: string): Promise<string> {
  const share = hash === '' ? undefined : await app.shares.find(hash)
  const owner = share && (await app.users.find(share.userId))
  return share && owner ? joinPath(parsePath(owner.scope), share.path) : ''
}

/** @returns the path relative to the scope; empty outside the scope, and for the raw text of a refused request */
function pathInScope(path: string, home: TreePath): string {
  try {
    const inTree = parsePath(path)
    return isInside(inTree, home) ? relativePath(inTree, home) : ''
  } catch (error) {
    if (isFault(error)) return ''
    throw error
  }
}

/** The ids of the record's journal entry and of the entry that undid it; 0 if it does not exist, or not any more. */
async function entryOf(
  { var: { app } }: Call,
  act: StoredAuditRecord,
): Promise<{ entry: number; undoneBy: number }> {
  const entry = act.entry === 0 ? undefined : await app.tree.journal.find(act.entry)
  return { entry: entry?.id ?? 0, undoneBy: entry?.undoneBy ?? 0 }
}
