/**
 * Resumable uploads with the tus protocol. The upload's URL is derived from the destination path, so an upload that
 * an earlier page left unfinished is found by a request to it (docs/decisions.md 10).
 */

import type { DetailedError } from 'tus-js-client'
import { faultOf } from '#ui/api/fault-of.ts'
import { currentToken } from '#ui/api/token.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { withBase } from '#ui/lib/location.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { urls } from '#wire/routes.ts'
import { TOKEN_HEADER } from '#wire/session.ts'
import { abortedBy, noResponse } from './faults.ts'
import { withKnownOffset } from './known-offset.ts'
import { type Attempt, reportEntry, type Transport, type Upload } from './transport.ts'

export const tus: Transport = { send, discard }

async function send(upload: Upload, attempt: Attempt): Promise<void> {
  const chunkSize = attempt.settings.chunkSize || UI_LIMITS.tusChunkFallbackBytes
  const offset = await findOffset(upload, attempt.signal)
  if (attempt.signal.aborted) throw abortedBy(attempt.signal)
  attempt.onStart(offset ?? 0)
  await sendRest(upload, attempt, { chunkSize, offset })
}

interface SendOptions {
  chunkSize: number
  /** The number of bytes that the server has; undefined if there is no unfinished upload. */
  offset: number | undefined
}

async function sendRest(
  upload: Upload,
  attempt: Attempt,
  { chunkSize, offset }: SendOptions,
): Promise<void> {
  const { signal } = attempt
  // Loaded with the first large file, so that the listing does not wait for it.
  const { Upload: TusUpload, defaultOptions } = await import('tus-js-client')
  const { httpStack } = defaultOptions
  const resumed = offset !== undefined && {
    uploadUrl: uploadUrl(upload),
    httpStack: withKnownOffset(httpStack, { offset, length: upload.file.size }),
  }
  return new Promise((resolve, reject) => {
    const sending = new TusUpload(upload.file, {
      chunkSize,
      ...resumed,
      endpoint: withBase(urls.tus(upload.path, upload.override)),
      metadata: metadataOf(upload),
      // The library must not retry: the caller decides about retries.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest: (request) => request.setHeader(TOKEN_HEADER, currentToken() ?? ''),
      onAfterResponse: (_request, response) =>
        reportEntry(attempt, (name) => response.getHeader(name)),
      onProgress: (bytes) => attempt.onSent(bytes),
      onChunkComplete: (_size, accepted) => attempt.onAccepted(accepted),
      onSuccess: () => finish(resolve),
      onError: (error) => finish(() => reject(faultOfTusError(error))),
    })
    const abort = () => finish(() => sending.abort().then(() => reject(abortedBy(signal))))
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      settle()
    }
    signal.addEventListener('abort', abort)
    sending.start()
  })
}

async function discard(upload: Upload): Promise<void> {
  const headers = { [TOKEN_HEADER]: currentToken() ?? '' }
  await fetch(uploadUrl(upload), { method: 'DELETE', headers }).catch(() => undefined)
}

/** @returns the number of bytes that the server has of this file; undefined if it has none */
async function findOffset(
  { path, file }: Upload,
  signal: AbortSignal,
): Promise<number | undefined> {
  const stored = await readStoredUpload(path, signal)
  return stored?.isUploadOf(file) ? stored.offset : undefined
}

/** An unfinished upload on the server. */
interface StoredUpload {
  /** The number of bytes that the server has. */
  offset: number
  /** Whether it is an upload of this file: the same size, name and modification time. */
  isUploadOf(file: Pick<File, 'name' | 'size' | 'lastModified'>): boolean
}

/**
 * Errors that do not tell whether an unfinished upload exists. A new upload must not begin then: it would collide with
 * the unfinished one.
 */
const INCONCLUSIVE = ['unauthenticated', 'unavailable', 'locked', 'internal', 'tooMany'] as const

/**
 * @returns the user's unfinished upload to this path; undefined if there is none
 * @throws Fault unauthenticated, locked (another request writes to the upload), unavailable, internal, tooMany,
 *   aborted (by the signal)
 */
export async function readStoredUpload(
  path: TreePath,
  signal?: AbortSignal,
): Promise<StoredUpload | undefined> {
  const headers = { [TOKEN_HEADER]: currentToken() ?? '' }
  const response = await fetch(uploadUrl({ path }), {
    method: 'HEAD',
    headers,
    ...(signal && { signal }),
  }).catch((cause) => {
    throw signal?.aborted ? abortedBy(signal) : noResponse(cause)
  })
  if (!response.ok) {
    const fault = faultOf({
      status: response.status,
      body: '',
      header: (name) => response.headers.get(name),
    })
    if (isFault(fault, ...INCONCLUSIVE)) throw fault
    return undefined
  }
  const metadata = parseMetadata(response.headers.get('Upload-Metadata') ?? '')
  const offset = Number(response.headers.get('Upload-Offset') ?? Number.NaN)
  const length = Number(response.headers.get('Upload-Length'))
  if (!Number.isInteger(offset)) return undefined
  return {
    offset,
    isUploadOf: ({ name, size, lastModified }) =>
      size === length &&
      metadata.get('filename') === name &&
      metadata.get('lastModified') === String(lastModified),
  }
}

function uploadUrl({ path }: Pick<Upload, 'path'>): string {
  return withBase(urls.tus(path, false).replace(/\?.*$/, ''))
}

function metadataOf({ file, relativePath }: Upload) {
  return {
    filename: file.name,
    filetype: file.type || 'application/octet-stream',
    lastModified: String(file.lastModified),
    relativePath,
  }
}

/**
 * Parses the `Upload-Metadata` header of tus: `name base64,name base64`.
 *
 * @returns the decoded values by name; a value that cannot be decoded is left out
 */
export function parseMetadata(header: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of header.split(',')) {
    const [name = '', encoded = ''] = pair.trim().split(' ')
    try {
      const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
      pairs.set(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    } catch {}
  }
  return pairs
}

/**
 * A conflict in response to PATCH means that the offsets differ. It becomes `locked`, which is retried: the next
 * attempt requests the offset again.
 */
function faultOfTusError(error: Error | DetailedError): Fault {
  if (!('originalResponse' in error) || !error.originalResponse) return noResponse(error)
  const { originalRequest: request, originalResponse: response } = error
  const fault = faultOf({
    status: response.getStatus(),
    body: response.getBody(),
    header: (name) => response.getHeader(name),
  })
  const offsetsDiffer = request.getMethod() === 'PATCH' && isFault(fault, 'conflict')
  return offsetsDiffer ? new Fault('locked', fault.message, { cause: fault }) : fault
}
