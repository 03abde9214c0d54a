/** Uploads many small files in one request (docs/api.md 1.17.1). */
import { type WriteResult, writeBatch } from '#server/files/batch.ts'
import { boundaryOf } from '#server/files/multipart.ts'
import type { BatchResult } from '#wire/batch.ts'
import { faultHeader } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import { batchAnswerShape } from '#wire/response-shapes.ts'
import { API } from '#wire/routes.ts'
import { SERVER_LIMITS } from '#wire/server-limits.ts'
import { pathIn, recordAudit } from '../audit.ts'
import type { AnyCall, AuditNote, Call, Route } from '../context.ts'
import { etagOf } from '../download.ts'
import { asFault, statusOf } from '../faults.ts'
import { limitKey } from '../in-flight.ts'
import { bodyStream, flag, pathAfter } from '../input.ts'
import { jsonResponse } from '../present.ts'
import { receiveWhileAllowed } from '../while-allowed.ts'

export const batchRoutes: Route[] = [
  {
    method: 'POST',
    path: `${API.batch}/*`,
    needs: 'create',
    audit: auditRefusal,
    docs: {
      summary:
        'Creates many small files below a folder: a form with a field `info` (JSON: `path` below the folder, `modified` in milliseconds since 1970, `override`) before each `file`. Each file succeeds or fails by itself',
      query: { override: '`true` replaces existing files, unless `info` says otherwise' },
      body: 'multipart/form-data',
      responses: {
        200: {
          description: 'the result of each file, in the order of the files',
          shape: batchAnswerShape,
        },
        400: 'the form is invalid; complete files before the error are stored',
        403: 'the right is missing, or the folder is read-only',
        408: 'the form ended before its last part; complete files before it are stored',
        413: 'too many files or bytes; complete files before the limit are stored',
        415: 'not multipart/form-data',
        429: 'this user has too many batches in progress',
        503: 'too many batches are being sent',
      },
    },
    slow: true,
    async handle(call) {
      const { scope } = call.var
      const { path } = pathAfter(call, API.batch)
      const boundary = boundaryOf(call.req.header('content-type'))
      using _ = call.var.limits.batches.acquire(limitKey(call))
      call.set('recheckAccess', () => scope.recheck('create', path))
      const entryOf = entriesByPath(call)
      const results = await receiveWhileAllowed(call, (stop) => {
        const body = bodyStream(call, SERVER_LIMITS.batchMaxBytes, stop)
        const form = { body, boundary, override: flag(call, 'override') }
        return writeBatch(scope, path, form, (written) => record(call, written, entryOf))
      })
      return jsonResponse({ results: results.map((written) => resultOf(written, entryOf)) })
    },
  },
]

/** The id of the journal entry of a file, by its path in the user's scope. */
type EntryOf = (path: TreePath) => number | undefined

function resultOf(written: WriteResult, entryOf: EntryOf): BatchResult {
  const { path } = written
  if ('node' in written) {
    const entry = entryOf(path)
    return { path, status: 200, etag: etagOf(written.node), ...(entry !== undefined && { entry }) }
  }
  const fault = asFault(written.error)
  const { code, message } = fault
  return { path, status: statusOf(code), code, message, fault: faultHeader(fault) }
}

/** Each file gets an audit record of its own. */
function record(call: Call, written: WriteResult, entryOf: EntryOf): void {
  const { path, sizeBytes } = written
  const { status, entry = 0, fault = '' } = resultOf(written, entryOf)
  recordAudit(call, { action: 'upload', path, bytes: sizeBytes, entry, fault }, status)
  if (!('error' in written)) return
  const error = asFault(written.error)
  if (error.code === 'internal') {
    call.var.logger.refused(call.var.path, status, call.var.address, error)
  }
}

/** Files are written in parallel, so the journal is read to find which entry belongs to which file. */
function entriesByPath({ var: { app, scope } }: Call): EntryOf {
  /** Path in the served tree → id of the entry. */
  const idByPath = new Map<string, number>()
  let checkedCount = 0
  return (path) => {
    for (const id of scope.entries.slice(checkedCount)) {
      checkedCount += 1
      const entry = app.tree.journal.find(id)
      if (entry) idByPath.set(entry.path, id)
    }
    return idByPath.get(joinPath(scope.actor.scope, path))
  }
}

/** Notes a refused batch. The files before the error have audit records of their own. */
function auditRefusal(call: AnyCall): AuditNote | undefined {
  return call.res.status < 400 ? undefined : { action: 'upload', path: pathIn(call, API.batch) }
}
