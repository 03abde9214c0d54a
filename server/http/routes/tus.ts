/** Resumable uploads by tus 1.0 (docs/api.md 1.17, docs/decisions.md 10). */

import {
  TUS_CHECKSUMS,
  type UploadContent,
  WrongChecksum,
} from '#server/files/uploads/staged-store.ts'
import {
  formatMetadata,
  parseMetadata,
  pathInMetadata,
} from '#server/files/uploads/upload-metadata.ts'
import type { UploadAddress, UploadState } from '#server/files/uploads/upload-state.ts'
import type { Uploads } from '#server/files/uploads/uploads.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, type TreePath, toUrlPath } from '#wire/paths.ts'
import type { AnyCall, AuditNote, Call, Route } from '../context/context.ts'
import { faultResponse } from '../context/faults.ts'
import { WRITE_RESPONSES } from '../context/route-docs.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { receiveWhileAllowed } from '../lifetime/while-allowed.ts'
import { pathIn } from '../request/audit.ts'
import { announcedBytesOf, fileStream, flag, pathAfter } from '../request/input.ts'
import {
  BYTES_TYPE,
  checksumOf,
  expiryOf,
  lengthOf,
  offsetOf,
  TUS_VERSION,
  tusResponse,
} from '../request/tus-headers.ts'
import { withMethodOverride } from '../request/tus-method.ts'
import { etagOf } from '../response/download.ts'

const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum']
const path = `${API.tus}/*`
const UPLOAD_QUERY = {
  upload: 'the id of the upload, as in `Location`; without it, the last unfinished one to the path',
}

export const tusRoutes: Route[] = [
  {
    method: 'OPTIONS',
    path,
    needs: 'anyone',
    docs: {
      summary: 'Returns the tus capabilities of the server',
      responses: {
        204: '`Tus-Version`, `Tus-Extension`, `Tus-Checksum-Algorithm`, and `Tus-Max-Size` if there is a limit',
        403: 'the folder is read-only',
      },
    },
    handle: describeServer,
  },
  {
    method: 'POST',
    path,
    needs: 'create',
    appPassword: 'any',
    audit: auditRefusal,
    docs: {
      summary:
        'Begins a resumable upload (tus 1.0): to the path, or without one to the name in the metadata',
      query: { override: '`true` replaces an existing file when the upload is complete' },
      headers: {
        'Upload-Length': 'the size of the file in bytes',
        'Upload-Metadata': '`filename`, `relativePath`, `lastModified`, in base64',
        'X-HTTP-Method-Override': '`HEAD`, `PATCH` or `DELETE`: the request stands for this method',
      },
      responses: {
        ...WRITE_RESPONSES,
        200: 'as of `HEAD`, if the request stands for it',
        201: '`Location` is the URL for the bytes, with the id of the upload',
        204: 'as of `PATCH` or `DELETE`, if the request stands for it',
        400: 'the length, name or checksum is missing or invalid',
        412: 'the version of tus is not supported',
        423: 'another upload to this name is being sent',
        429: 'this user has too many unfinished uploads, or sends too many at a time',
        460: 'the bytes are not those of the checksum; nothing was saved',
        503: 'there are too many unfinished uploads, or too many are being sent',
      },
    },
    handle: inThisVersion(
      withMethodOverride(create, { HEAD: describeUpload, PATCH: append, DELETE: cancel }),
    ),
  },
  {
    method: 'GET',
    path,
    needs: 'create',
    appPassword: 'any',
    docs: {
      summary: 'Returns the offset of an upload',
      query: {
        ...UPLOAD_QUERY,
        checksum: '`crc32` asks for the checksum of the bytes that have arrived',
      },
      method: 'HEAD',
      responses: {
        200: '`Upload-Offset` and `Upload-Length`; `Content-Location` is the URL with the id of the upload; `Upload-Checksum` as asked for',
        404: 'no such upload, it has expired, or it is finished and not reported to this request',
        409: 'all bytes have arrived, but another file has taken the name',
        423: 'two uploads have this path; use the URL of the upload itself',
        429: 'this user sends too many uploads at a time',
        503: 'too many uploads are being sent',
        403: 'the folder is read-only',
        412: 'the version of tus is not supported',
      },
    },
    handle: inThisVersion(describeUpload),
  },
  {
    method: 'PATCH',
    path,
    needs: 'create',
    appPassword: 'any',
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
        204: '`Upload-Offset`: how many bytes have arrived; after the last one, `ETag` of the file',
        400: 'the offset or checksum is missing or invalid',
        404: 'no such upload, or it has expired',
        409: 'the offset is wrong, or another file has taken the name',
        412: 'the version of tus is not supported',
        415: `no ${BYTES_TYPE}`,
        423: 'another request has taken over this upload',
        429: 'this user sends too many uploads at a time',
        503: 'too many uploads are being sent',
        460: 'the bytes are not those of the checksum; they were dropped',
        500: 'an event’s command failed',
      },
    },
    handle: inThisVersion(append),
  },
  {
    method: 'DELETE',
    path,
    needs: 'create',
    appPassword: 'any',
    docs: {
      summary: 'Cancels an upload',
      query: UPLOAD_QUERY,
      responses: {
        204: 'removed',
        403: 'the folder is read-only',
        404: 'no such upload, or it has expired',
        412: 'the version of tus is not supported',
        429: 'this user sends too many uploads at a time',
        503: 'too many uploads are being sent',
      },
    },
    handle: inThisVersion(cancel),
  },
]

async function describeServer(call: AnyCall): Promise<Response> {
  const { limitBytes } = uploadsOf(call)
  return tusResponse(204, {
    'Tus-Version': TUS_VERSION,
    'Tus-Extension': EXTENSIONS.join(','),
    'Tus-Checksum-Algorithm': TUS_CHECKSUMS.join(','),
    ...(limitBytes > 0 ? { 'Tus-Max-Size': String(limitBytes) } : {}),
  })
}

/** Refuses another version of tus. File Browser's clients leave the version out. */
function inThisVersion(handle: (call: Call) => Promise<Response>) {
  return async (call: Call): Promise<Response> => {
    if ((call.req.header('tus-resumable') ?? TUS_VERSION) === TUS_VERSION) return handle(call)
    const message = `This server supports only version ${TUS_VERSION} of tus.`
    const response = faultResponse(new Fault('precondition', message), call.req.raw)
    response.headers.set('Tus-Version', TUS_VERSION)
    return response
  }
}

async function create(call: Call): Promise<Response> {
  const target = pathAfter(call, API.tus)
  const metadata = parseMetadata(call.req.header('upload-metadata'))
  const hasPath = target.path !== ROOT
  if (hasPath && target.asFolder)
    throw new Fault('badRequest', 'A folder cannot be uploaded as a file.')
  if (call.req.header('upload-concat') !== undefined)
    throw new Fault('badRequest', 'This server does not join uploads. Send the file as one upload.')
  const path = hasPath ? target.path : pathInMetadata(metadata)
  const overwrite = flag(call, 'override')
  const session = call.var.auth.session.id
  const requested = { path, overwrite, sizeBytes: lengthOf(call), metadata, session }
  const hasBytes = call.req.header('content-type') === BYTES_TYPE
  const { scope } = call.var
  return send(call, path, async (content) => {
    const state = await uploadsOf(call).create(scope, requested, hasBytes ? content : undefined)
    auditPublished(call, state)
    const { offset } = state
    return tusResponse(201, {
      Location: urlOf(call, state),
      ...(hasBytes ? { 'Upload-Offset': String(offset) } : {}),
      ...expiryOf(state),
      ...etagOfFile(state),
    })
  })
}

async function append(call: Call): Promise<Response> {
  const offset = offsetOf(call)
  const address = addressOf(call)
  const { scope } = call.var
  return send(call, address.path, async (content) => {
    const state = await uploadsOf(call).append(scope, address, offset, content)
    auditPublished(call, state)
    return tusResponse(204, {
      'Upload-Offset': String(state.offset),
      ...expiryOf(state),
      ...etagOfFile(state),
    })
  })
}

async function describeUpload(call: Call): Promise<Response> {
  using _ = call.var.limits.sending.acquire(limitKey(call))
  const state = await uploadsOf(call).state(call.var.scope, addressOf(call))
  auditPublished(call, state)
  const { upload, offset } = state
  const metadata = formatMetadata(upload.metadata)
  return tusResponse(200, {
    'Cache-Control': 'no-store',
    'Content-Location': urlOf(call, state),
    'Upload-Offset': String(offset),
    'Upload-Length': String(upload.sizeBytes),
    ...(metadata === '' ? {} : { 'Upload-Metadata': metadata }),
    ...(await checksumAskedFor(call, state)),
    ...etagOfFile(state),
  })
}

/** With it, a client finds out whether it has the file whose beginning has arrived. */
async function checksumAskedFor(call: Call, state: UploadState): Promise<Record<string, string>> {
  const asked = call.req.query('checksum')
  if (asked === undefined) return {}
  if (asked !== 'crc32') throw new Fault('badRequest', 'The checksum can be crc32.')
  // The content of a finished upload is at its path.
  if (state.expiresMs === undefined) return {}
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(await uploadsOf(call).crc32Of(state))
  return { 'Upload-Checksum': `crc32 ${sum.toString('base64')}` }
}

async function cancel(call: Call): Promise<Response> {
  using _ = call.var.limits.sending.acquire(limitKey(call))
  await uploadsOf(call).cancel(call.var.scope, addressOf(call))
  return tusResponse(204)
}

/**
 * Runs the work of a request with bytes, which ends if access is lost. A wrong checksum has a status of its own in tus.
 *
 * @param path the destination of the upload
 */
async function send(
  call: Call,
  path: TreePath,
  work: (content: UploadContent) => Promise<Response>,
): Promise<Response> {
  const { scope, limits } = call.var
  const checksum = checksumOf(call)
  using _ = limits.sending.acquire(limitKey(call))
  call.set('recheckAccess', () => scope.recheck('create', path))
  try {
    return await receiveWhileAllowed(call, (stop) =>
      work({
        announcedBytes: announcedBytesOf(call),
        checksum,
        // A stream, since the first part of the bytes counts if the rest is lost.
        open: (takeover) => fileStream(call, 0, AbortSignal.any([takeover, stop])),
      }),
    )
  } catch (error) {
    if (error instanceof WrongChecksum) return new Response(error.message, { status: 460 })
    throw error
  }
}

function addressOf(call: Call): UploadAddress {
  const { path } = pathAfter(call, API.tus)
  return { path, id: call.req.query('upload'), session: call.var.auth.session.id }
}

/**
 * The URL of an upload. File Browser's clients use the plain path, which names the user's last unfinished upload to it. Only
 * with the id does it name this one, also when it is finished.
 */
function urlOf(call: Call, { upload: { path, id } }: UploadState): string {
  return call.var.app.baseURL + API.tus + toUrlPath(path) + queryString({ upload: id })
}

/** The version of the published file, with which a client compares what it later finds at the path. */
function etagOfFile({ version }: UploadState): Record<string, string> {
  return version === undefined ? {} : { ETag: etagOf({ version }) }
}

/** Notes the upload for the audit log if this request has published its file; other requests are not recorded. */
function auditPublished(call: Call, { upload, hasPublished }: UploadState): void {
  const { path, sizeBytes } = upload
  if (hasPublished) call.set('auditNote', { action: 'upload', path, bytes: sizeBytes })
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
