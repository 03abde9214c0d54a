/** Sends the bytes of a resumable upload, with the library of tus. */
import {
  type DetailedError,
  defaultOptions,
  type HttpResponse,
  Upload as TusUpload,
} from 'tus-js-client'
import { faultOf } from '#ui/api/client/fault-of.ts'
import { currentToken } from '#ui/api/client/token.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { urls } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { idIn, metadataOf, newKey, type UploadState, uploadUrl } from './begun-upload.ts'
import { CheckedFile } from './checked-file.ts'
import { abortedBy, noResponse } from './faults.ts'
import { withKnownOffset } from './known-offset.ts'
import { type Attempt, reportEntry, type Upload } from './transport.ts'

/**
 * Sends the bytes that the server does not have.
 *
 * @param found the upload to continue; undefined begins a new one
 * @returns the version of the file in the last response, if that names it
 * @throws UnreadableFileError, ChangedFileError; Fault with the server's code, unavailable (no response), aborted (by the
 *   signal)
 */
export async function sendRest(
  upload: Upload,
  attempt: Attempt,
  found: UploadState | undefined,
): Promise<string | undefined> {
  const { signal } = attempt
  const begun = found?.begun ?? { key: newKey() }
  if (!found) attempt.onBegun(begun)
  let etag = found?.etag
  const checked = new CheckedFile(upload.file)
  const handleResponse = (response: HttpResponse) => {
    etag = response.getHeader('ETag') ?? etag
    reportEntry(attempt, (name) => response.getHeader(name))
  }
  await new Promise<void>((resolve, reject) => {
    const sending = new TusUpload(upload.file, {
      chunkSize: Math.min(
        attempt.settings.chunkSize || UI_LIMITS.tusChunkFallbackBytes,
        UI_LIMITS.uploadPartMaxBytes,
      ),
      fileReader: { openFile: async () => checked },
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
      onError: (error) => finish(() => reject(checked.error ?? faultOfTusError(error))),
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
