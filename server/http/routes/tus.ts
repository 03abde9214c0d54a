/** Resumable uploads by tus 1.0 (docs/api.md 1.17, docs/decisions.md 10). */

import { type ExpectedChecksum, TUS_CHECKSUMS } from '#server/files/staged-store.ts'
import { parseMetadata, pathInMetadata } from '#server/files/upload-metadata.ts'
import type { Uploads } from '#server/files/uploads.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, type TreePath, toUrlPath } from '#wire/paths.ts'
import { API, queryString } from '#wire/routes.ts'
import { pathIn } from '../audit.ts'
import type { AnyCall, AuditNote, Call, Route } from '../context.ts'
import { limitKey } from '../in-flight.ts'
import { flag, pathAfter } from '../input.ts'
import { WRITE_RESPONSES } from '../route-docs.ts'
import { receiveWhileAllowed } from '../while-allowed.ts'

const BYTES_TYPE = 'application/offset+octet-stream'
const path = `${API.tus}/*`
const UPLOAD_QUERY = {
  upload: 'the id of the upload, if two uploads have the same path; `Location` contains it',
}

export const tusRoutes: Route[] = [
  {
    method: 'OPTIONS',
    path,
    needs: 'anyone',
    docs: {
      summary: 'Returns the tus capabilities of the server',
      responses: {
        200: '`Tus-Extension`, `Tus-Version` and the like',
        204: 'the headers',
        403: 'the folder is read-only',
      },
    },
    async handle(call) {
      const response = await uploadsOf(call).discover(tusRequest(call))
      response.headers.set('Tus-Checksum-Algorithm', TUS_CHECKSUMS.join(','))
      return withoutCrossOriginHeaders(response)
    },
  },
  {
    method: 'POST',
    path,
    needs: 'create',
    audit: auditRefusal,
    docs: {
      summary:
        'Begins a resumable upload (tus 1.0): to the path, or without one to the name in the metadata',
      query: { override: '`true` replaces an existing file when the upload is complete' },
      headers: {
        'Upload-Length': 'the size of the file in bytes',
        'Upload-Metadata': '`filename`, `relativePath`, `lastModified`, in base64',
      },
      responses: {
        ...WRITE_RESPONSES,
        201: '`Location` is the URL for the bytes',
        400: 'the length, name or checksum is missing or invalid',
        412: 'the version of tus is not supported',
        423: 'another upload to this name is being sent',
        429: 'this user has too many unfinished uploads, or sends too many at a time',
        460: 'the bytes are not those of the checksum; nothing was saved',
        503: 'there are too many unfinished uploads, or too many are being sent',
      },
    },
    handle: create,
  },
  {
    method: 'GET',
    path,
    needs: 'create',
    docs: {
      summary: 'Returns the offset of an upload',
      query: UPLOAD_QUERY,
      method: 'HEAD',
      responses: {
        200: '`Upload-Offset` and `Upload-Length`',
        404: 'no such upload',
        409: 'all bytes have arrived, but another file has taken the name',
        410: 'it has expired',
        423: 'two uploads have this path; use the URL of the upload itself',
        429: 'this user sends too many uploads at a time',
        503: 'too many uploads are being sent',
        403: 'the folder is read-only',
        412: 'the version of tus is not supported',
      },
    },
    handle: handleUpload,
  },
  {
    method: 'PATCH',
    path,
    needs: 'create',
    audit: auditRefusal,
    docs: {
      summary: 'Appends bytes to an upload; the last byte publishes the file',
      query: UPLOAD_QUERY,
      headers: {
        'Upload-Offset': 'the offset of the first byte',
        'Upload-Checksum': 'the name of an algorithm, and the digest of these bytes in base64',
      },
      body: BYTES_TYPE,
      responses: {
        ...WRITE_RESPONSES,
        204: '`Upload-Offset`: how many bytes have arrived',
        400: 'the offset or checksum is missing or invalid',
        404: 'no such upload',
        409: 'the offset is wrong, or another file has taken the name',
        410: 'it has expired',
        412: 'the version of tus is not supported',
        415: `no ${BYTES_TYPE}`,
        423: 'another request has taken over this upload',
        429: 'this user sends too many uploads at a time',
        503: 'too many uploads are being sent',
        460: 'the bytes are not those of the checksum; they were dropped',
        500: 'an event’s command failed',
      },
    },
    handle: handleUpload,
  },
  {
    method: 'DELETE',
    path,
    needs: 'create',
    docs: {
      summary: 'Cancels an upload',
      query: UPLOAD_QUERY,
      responses: {
        204: 'removed',
        403: 'the folder is read-only',
        404: 'no such upload',
        412: 'the version of tus is not supported',
        429: 'this user sends too many uploads at a time',
        503: 'too many uploads are being sent',
      },
    },
    handle: handleUpload,
  },
]

async function create(call: Call): Promise<Response> {
  const target = pathAfter(call, API.tus)
  const metadata = parseMetadata(call.req.header('upload-metadata'))
  const hasPath = target.path !== ROOT
  if (hasPath && target.asFolder)
    throw new Fault('badRequest', 'A folder cannot be uploaded as a file.')
  const requested = {
    path: hasPath ? target.path : pathInMetadata(metadata),
    overwrite: flag(call, 'override'),
    sizeBytes: lengthOf(call),
    metadata,
  }
  using _ = call.var.limits.sending.acquire(limitKey(call))
  const { scope } = call.var
  const [request, checksum] = [tusRequest(call), checksumOf(call)]
  const received = countReceived(call)
  call.set('recheckAccess', () => scope.recheck('create', requested.path))
  const { response, upload } = await receiveWhileAllowed(call, (stop) =>
    uploadsOf(call).create(scope, requested, request, { checksum, stop, received }),
  )
  // File Browser's clients use the plain path as the address, so the id is added only if the path is ambiguous.
  const needsId = !hasPath || upload.contested
  const query = queryString({ upload: needsId ? upload.id : undefined })
  if (requested.sizeBytes === 0) auditUpload(call, requested.path, 0)
  response.headers.set(
    'Location',
    call.var.app.baseURL + API.tus + toUrlPath(requested.path) + query,
  )
  return withoutCrossOriginHeaders(response)
}

async function handleUpload(call: Call): Promise<Response> {
  if (call.req.method === 'GET')
    throw new Fault('methodNotAllowed', 'Use HEAD to read the state of an upload.')
  if (call.req.method === 'PATCH') refuseBadPatch(call)
  const { path: target } = pathAfter(call, API.tus)
  const id = call.req.query('upload')
  const { scope } = call.var
  const [request, checksum] = [tusRequest(call), checksumOf(call)]
  const received = countReceived(call)
  using _ = call.var.limits.sending.acquire(limitKey(call))
  call.set('recheckAccess', () => scope.recheck('create', target))
  const { response, upload } = await receiveWhileAllowed(call, (stop) =>
    uploadsOf(call).handle(scope, target, id, request, { checksum, stop, received }),
  )
  const { sizeBytes } = upload
  const isComplete = Number(response.headers.get('upload-offset')) === sizeBytes
  if (call.req.method === 'PATCH' && isComplete) auditUpload(call, target, sizeBytes)
  return withoutCrossOriginHeaders(response)
}

function countReceived(call: Call): (bytes: number) => void {
  const { metrics, route } = call.var
  return (bytes) => metrics.countBytes('received', route, Math.max(0, bytes))
}

/** Notes a complete upload for the audit log; the requests before the last byte are not recorded. */
function auditUpload(call: Call, path: TreePath, bytes: number): void {
  call.set('auditNote', { action: 'upload', path, bytes })
}

/** Notes a refused upload for the audit log. */
function auditRefusal(call: AnyCall): AuditNote | undefined {
  return call.res.status < 400 ? undefined : { action: 'upload', path: pathIn(call, API.tus) }
}

/** @throws Fault readOnly (the server was started to only read its folder) */
function uploadsOf(call: AnyCall): Uploads {
  const { uploads } = call.var.app
  if (uploads) return uploads
  throw new Fault('readOnly', 'This folder can only be read.')
}

/** Adds the tus version, which File Browser's clients leave out. */
function tusRequest(call: AnyCall): Request {
  const { raw } = call.req
  const headers = new Headers(raw.headers)
  if (!headers.has('tus-resumable')) headers.set('Tus-Resumable', '1.0.0')
  return new Request(raw.url, { method: raw.method, headers, body: raw.body, signal: raw.signal })
}

/** Removes the cross-origin headers of @tus/server, since only this site uploads here. */
function withoutCrossOriginHeaders(response: Response): Response {
  const headers = new Headers(response.headers)
  for (const name of [...headers.keys()]) {
    if (name.startsWith('access-control-')) headers.delete(name)
  }
  return new Response(response.body, { status: response.status, headers })
}

/** @throws Fault badRequest (no whole number in Upload-Offset), unsupported (another Content-Type) */
function refuseBadPatch(call: Call): void {
  if (call.req.header('content-type') !== BYTES_TYPE) {
    throw new Fault('unsupported', `Content-Type must be ${BYTES_TYPE}.`)
  }
  if (!/^\d{1,15}$/.test(call.req.header('upload-offset') ?? '')) {
    throw new Fault('badRequest', 'The header Upload-Offset must be a whole number.')
  }
}

/** @throws Fault badRequest (the length is absent, deferred or no whole number) */
function lengthOf(call: Call): number {
  if (call.req.header('upload-defer-length') !== undefined) {
    throw new Fault(
      'badRequest',
      'The header Upload-Length is missing. The length must be known from the start.',
    )
  }
  const length = call.req.header('upload-length') ?? ''
  if (!/^\d{1,15}$/.test(length)) {
    throw new Fault('badRequest', 'The header Upload-Length must be a whole number of at least 0.')
  }
  return Number(length)
}

/**
 * Parses `Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`.
 *
 * @throws Fault badRequest (unknown algorithm, or no digest)
 */
function checksumOf(call: Call): ExpectedChecksum | undefined {
  const header = call.req.header('upload-checksum')
  if (header === undefined) return undefined
  const [name, digest] = header.split(' ')
  const algorithm = TUS_CHECKSUMS.find((known) => known === name)
  if (algorithm && digest) return { algorithm, digest }
  throw new Fault(
    'badRequest',
    `The header Upload-Checksum must name one of ${TUS_CHECKSUMS.join(', ')}.`,
  )
}
