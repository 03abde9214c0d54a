/** The headers of tus 1.0 requests and responses (docs/api.md 1.17). */
import { type ExpectedChecksum, TUS_CHECKSUMS } from '#server/files/uploads/staged-store.ts'
import type { UploadState } from '#server/files/uploads/upload-state.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from '../context/context.ts'

export const TUS_VERSION = '1.0.0'
export const BYTES_TYPE = 'application/offset+octet-stream'
/** At most 15 digits, without a zero in front. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/

export function tusResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : '', { status, headers })
}

/** Names the version of tus in every response to a request for tus, also in those that refuse one (tus 1.0). */
export function setTusVersion({ var: { path }, res }: AnyCall): void {
  if (path === API.tus || path.startsWith(`${API.tus}/`)) {
    res.headers.set('Tus-Resumable', TUS_VERSION)
  }
}

export function expiryOf({ expiresMs }: UploadState): Record<string, string> {
  return expiresMs === undefined ? {} : { 'Upload-Expires': new Date(expiresMs).toUTCString() }
}

/** @throws Fault badRequest (no whole number in Upload-Offset), unsupported (another Content-Type) */
export function offsetOf(call: AnyCall): number {
  if (call.req.header('content-type') !== BYTES_TYPE) {
    throw new Fault('unsupported', `Content-Type must be ${BYTES_TYPE}.`)
  }
  const offset = call.req.header('upload-offset') ?? ''
  if (WHOLE_NUMBER.test(offset)) return Number(offset)
  throw new Fault('badRequest', 'The header Upload-Offset must be a whole number.')
}

/** @throws Fault badRequest (the length is absent, deferred or no whole number) */
export function lengthOf(call: AnyCall): number {
  if (call.req.header('upload-defer-length') !== undefined) {
    throw new Fault(
      'badRequest',
      'The header Upload-Length is missing. The length must be known from the start.',
    )
  }
  const length = call.req.header('upload-length') ?? ''
  if (!WHOLE_NUMBER.test(length)) {
    throw new Fault('badRequest', 'The header Upload-Length must be a whole number of at least 0.')
  }
  return Number(length)
}

/**
 * Parses `Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`.
 *
 * @throws Fault badRequest (unknown algorithm, or no digest)
 */
export function checksumOf(call: AnyCall): ExpectedChecksum | undefined {
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
