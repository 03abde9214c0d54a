/** Resumable uploads by tus 1.0 (contract 1.17, decisions 10). */
import { type ExpectedChecksum, TUS_CHECKSUMS } from '#server/files/staged-store.ts'
import { parseMetadata, pathInMetadata } from '#server/files/upload-metadata.ts'
import type { Uploads } from '#server/files/uploads.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, toUrlPath } from '#wire/paths.ts'
import { API, queryString } from '#wire/routes.ts'
import type { Call, Route } from '../context.ts'
import { flag, pathAfter } from '../input.ts'

const BYTES_TYPE = 'application/offset+octet-stream'
const path = `${API.tus}/*`

export const tusRoutes: Route[] = [
  {
    method: 'OPTIONS',
    path,
    needs: 'anyone',
    async handle(call) {
      const answer = await uploadsOf(call).discover(tusRequest(call))
      answer.headers.set('Tus-Checksum-Algorithm', TUS_CHECKSUMS.join(','))
      return plain(answer)
    },
  },
  { method: 'POST', path, needs: 'create', handle: create },
  { method: 'GET', path, needs: 'create', handle: goOn },
  { method: 'PATCH', path, needs: 'create', handle: goOn },
  { method: 'DELETE', path, needs: 'create', handle: goOn },
]

async function create(call: Call): Promise<Response> {
  const target = pathAfter(call, API.tus)
  const metadata = parseMetadata(call.req.header('upload-metadata'))
  const named = target.path !== ROOT
  if (named && target.asFolder)
    throw new Fault('badRequest', 'a folder cannot be uploaded as a file')
  const wish = {
    path: named ? target.path : pathInMetadata(metadata),
    overwrite: flag(call, 'override'),
    sizeBytes: lengthOf(call),
    metadata,
  }
  const { response, upload } = await uploadsOf(call).create(call.var.scope, wish, tusRequest(call))
  // The path alone is the address, as File Browser's clients expect, wherever it is unmistakable.
  const exact = !named || upload.contested
  const query = queryString({ upload: exact ? upload.id : undefined })
  response.headers.set('Location', call.var.app.baseURL + API.tus + toUrlPath(wish.path) + query)
  return plain(response)
}

async function goOn(call: Call): Promise<Response> {
  if (call.req.method === 'GET') throw new Fault('methodNotAllowed', 'An upload is read by HEAD.')
  if (call.req.method === 'PATCH') refuseBadPatch(call)
  const { path: target } = pathAfter(call, API.tus)
  const id = call.req.query('upload')
  const request = tusRequest(call)
  const checksum = checksumOf(call)
  return plain(await uploadsOf(call).go(call.var.scope, target, id, request, checksum))
}

/** @throws Fault readOnly */
function uploadsOf(call: Call): Uploads {
  const { uploads } = call.var.app
  if (uploads) return uploads
  throw new Fault('readOnly', 'This folder can only be read.')
}

/** The request as @tus/server wants it: File Browser's clients leave the version out. */
function tusRequest(call: Call): Request {
  const { raw } = call.req
  const headers = new Headers(raw.headers)
  if (!headers.has('tus-resumable')) headers.set('Tus-Resumable', '1.0.0')
  return new Request(raw.url, { method: raw.method, headers, body: raw.body, signal: raw.signal })
}

/** Without the cross-origin headers that @tus/server always sends (no site but ours uploads here). */
function plain(answer: Response): Response {
  const headers = new Headers(answer.headers)
  for (const name of [...headers.keys()]) {
    if (name.startsWith('access-control-')) headers.delete(name)
  }
  return new Response(answer.body, { status: answer.status, headers })
}

/** @throws Fault badRequest, unsupported */
function refuseBadPatch(call: Call): void {
  if (call.req.header('content-type') !== BYTES_TYPE) {
    throw new Fault('unsupported', `Content-Type must be ${BYTES_TYPE}.`)
  }
  if (!/^\d{1,15}$/.test(call.req.header('upload-offset') ?? '')) {
    throw new Fault('badRequest', 'Upload-Offset must be a whole number')
  }
}

/** @throws Fault badRequest */
function lengthOf(call: Call): number {
  if (call.req.header('upload-defer-length') !== undefined) {
    throw new Fault('badRequest', 'Upload-Length must be known from the start')
  }
  const length = call.req.header('upload-length') ?? ''
  if (!/^\d{1,15}$/.test(length)) {
    throw new Fault('badRequest', 'Upload-Length must be a whole number, not negative')
  }
  return Number(length)
}

/** `Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`. @throws Fault badRequest */
function checksumOf(call: Call): ExpectedChecksum | undefined {
  const header = call.req.header('upload-checksum')
  if (header === undefined) return undefined
  const [name, digest] = header.split(' ')
  const algorithm = TUS_CHECKSUMS.find((known) => known === name)
  if (algorithm && digest) return { algorithm, digest }
  throw new Fault('badRequest', `Upload-Checksum must name one of ${TUS_CHECKSUMS.join(', ')}`)
}
