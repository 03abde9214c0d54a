/** Uploads many small files in one request (docs/api.md 1.17.1). */
import { type WriteResult, writeBatch } from '#server/files/uploads/batch.ts'
import { boundaryOf } from '#server/files/uploads/multipart.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { API } from '#wire/api/routes.ts'
import { faultHeader } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { BatchResult } from '#wire/shapes/batch.ts'
import { batchAnswerShape } from '#wire/shapes/response-shapes.ts'
import type { AnyCall, AuditNote, Call, Route } from '../context/context.ts'
import { asFault, statusOf } from '../context/faults.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { receiveWhileAllowed } from '../lifetime/while-allowed.ts'
import { pathIn, recordAudit } from '../request/audit.ts'
import { bodyStream, flag, pathAfter } from '../request/input.ts'
import { etagOf } from '../response/download.ts'
import { jsonResponse } from '../response/present.ts'

export const batchRoutes: Route[] = [
  {
    method: 'POST',
    path: `${API.batch}/*`,
    needs: 'create',
    appPassword: 'any',
    audit: auditRefusal,
    docs: {
      summary:
        'Creates many small files below a folder: a form with a field `info` (JSON: `path` below the folder, `modified` in milliseconds since 1970, `override`) before each `file`. Each file succeeds or fails by itself; all stored files are one change',
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
      const written: WriteResult[] = []
      try {
        const results = await receiveWhileAllowed(call, (stop) => {
          const body = bodyStream(call, SERVER_LIMITS.batchMaxBytes, stop)
          const form = { body, boundary, override: flag(call, 'override') }
          return writeBatch(scope, path, form, (result) => written.push(result))
        })
        const [entry] = scope.entries
        return jsonResponse({ results: results.map((result) => resultOf(result, entry)) })
      } finally {
        await record(call, path, written)
      }
    },
  },
]

/** @param entry the id of the journal entry of all stored files */
function resultOf(written: WriteResult, entry: number | undefined): BatchResult {
  const { path } = written
  if ('node' in written) {
    return { path, status: 200, etag: etagOf(written.node), ...(entry !== undefined && { entry }) }
  }
  const fault = asFault(written.error)
  const { code, message } = fault
  return { path, status: statusOf(code), code, message, fault: faultHeader(fault) }
}

/**
 * Makes one audit record of all stored files, and one for each kind of refusal. Otherwise a few requests could push all
 * other records of the user out.
 */
async function record(
  call: Call,
  folder: TreePath,
  written: readonly WriteResult[],
): Promise<void> {
  for (const files of Map.groupBy(written, kindOf).values()) {
    const [first] = files
    if (!first) continue
    const { status, fault = '' } = resultOf(first, undefined)
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const path = files.length === 1 ? first.path : folder
    await recordAudit(call, { action: 'upload', path, bytes, times: files.length, fault }, status)
  }
  for (const file of written) logInternal(call, file)
}

/** Refusals with the same code and reason are of one kind, whatever their details, so that there are few kinds. */
function kindOf(written: WriteResult): string {
  if (!('error' in written)) return ''
  const { code, reason = '' } = asFault(written.error)
  return `${code} ${reason}`
}

function logInternal(call: Call, written: WriteResult): void {
  if (!('error' in written)) return
  const error = asFault(written.error)
  if (error.code === 'internal') {
    call.var.logger.refused(call.var.path, statusOf(error.code), call.var.address, error)
  }
}

/** Notes a refused batch. The files before the error have an audit record of their own. */
function auditRefusal(call: AnyCall): AuditNote | undefined {
  return call.res.status < 400 ? undefined : { action: 'upload', path: pathIn(call, API.batch) }
}
