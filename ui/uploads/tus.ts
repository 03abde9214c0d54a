/** Resumable uploads with the tus protocol. */

import type { DetailedError, HttpResponse } from 'tus-js-client'
import { faultOf } from '#ui/api/fault-of.ts'
import { currentToken } from '#ui/api/token.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { withBase } from '#ui/lib/location.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { urls } from '#wire/routes.ts'
import { TOKEN_HEADER } from '#wire/session.ts'
import { findBegun, idIn, metadataOf, newKey, type UploadState, uploadUrl } from './begun-upload.ts'
import { abortedBy, noResponse } from './faults.ts'
import { withKnownOffset } from './known-offset.ts'
import { requireAsSent } from './stored-file.ts'
import { type Attempt, reportEntry, type Transport, type Upload } from './transport.ts'

export const tus: Transport = { send, discard }

async function send(upload: Upload, attempt: Attempt): Promise<void> {
  const { signal } = attempt
  const found = await findOwn(upload, attempt)
  if (signal.aborted) throw abortedBy(signal)
  attempt.onStart(found?.offset ?? 0)
  const etag = await sendRest(upload, attempt, found)
  try {
    await requireAsSent(upload, etag, signal)
  } catch (error) {
    // The next attempt sends the whole file.
    if (!isFault(error)) attempt.onBegun(undefined)
    throw error
  }
}

/** @returns the upload to continue; undefined if a new one must begin */
async function findOwn(upload: Upload, attempt: Attempt): Promise<UploadState | undefined> {
  const { file } = upload
  const found = await findBegun(upload, attempt.signal)
  if (!found?.isUploadOf(file) || (attempt.isFirst && found.offset >= file.size)) return undefined
  attempt.onBegun(found.begun)
  return found
}

/**
 * @param found the upload to continue
 * @returns the version of the file in the last response, if that names it
 */
async function sendRest(
  upload: Upload,
  attempt: Attempt,
  found: UploadState | undefined,
): Promise<string | undefined> {
  const { signal } = attempt
  // Loaded with the first large file, so that the listing does not wait for it.
  const { Upload: TusUpload, defaultOptions } = await import('tus-js-client')
  const begun = found?.begun ?? { key: newKey() }
  if (!found) attempt.onBegun(begun)
  let etag = found?.etag
  const handleResponse = (response: HttpResponse) => {
    etag = response.getHeader('ETag') ?? etag
    reportEntry(attempt, (name) => response.getHeader(name))
  }
  await new Promise<void>((resolve, reject) => {
    const sending = new TusUpload(upload.file, {
      chunkSize: attempt.settings.chunkSize || UI_LIMITS.tusChunkFallbackBytes,
      ...(found && {
        uploadUrl: uploadUrl(upload.path, begun.id),
        httpStack: withKnownOffset(defaultOptions.httpStack, {
          offset: found.offset,
          length: upload.file.size,
        }),
      }),
      endpoint: withBase(urls.tus(upload.path, upload.override)),
      metadata: metadataOf(upload, begun.key),
      // The library must not retry: the caller decides about retries.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () =>
        attempt.onBegun({ key: begun.key, id: idIn(sending.url) ?? begun.id }),
      onBeforeRequest: (request) => request.setHeader(TOKEN_HEADER, currentToken() ?? ''),
      onAfterResponse: (_request, response) => handleResponse(response),
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
  return etag
}

async function discard(upload: Upload): Promise<void> {
  const headers = { [TOKEN_HEADER]: currentToken() ?? '' }
  try {
    // The path alone may name an upload of another page or browser.
    const begun = upload.begun?.id ? upload.begun : (await findBegun(upload))?.begun
    if (begun) await fetch(uploadUrl(upload.path, begun.id), { method: 'DELETE', headers })
  } catch {
    // The server deletes an unfinished upload after a while.
  }
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
