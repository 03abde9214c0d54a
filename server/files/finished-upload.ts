/** Answers requests for an upload that is already finished. */
import type { StoredUpload } from '#server/db/uploads.ts'
import { Fault } from '#wire/fault.ts'
import type { UploadContent } from './staged-store.ts'
import type { UploadState } from './upload-state.ts'

/**
 * Responds to a client that missed the last response: all bytes have arrived.
 *
 * @throws Fault conflict (the client sends bytes again), tooLarge (it sends more bytes), locked (another request took
 *   this upload over); errors of the content
 */
export async function appendToFinished(
  upload: StoredUpload,
  offset: number,
  content: UploadContent,
  takeover: AbortSignal,
): Promise<UploadState> {
  if (offset !== upload.sizeBytes) throw new Fault('conflict', 'The upload is complete.')
  for await (const chunk of content.open(takeover)) {
    if (chunk.length === 0) continue
    throw new Fault('tooLarge', 'The upload is complete; it accepts no more bytes.')
  }
  return { upload, offset, expiresMs: undefined, hasPublished: false }
}
