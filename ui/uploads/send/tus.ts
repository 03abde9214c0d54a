/** Resumable uploads with the tus protocol. */

import { currentToken } from '#ui/api/client/token.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { isFault } from '#wire/fault.ts'
import { findBegun, type UploadState, uploadUrl } from './begun-upload.ts'
import { abortedBy } from './faults.ts'
import { ChangedFileError } from './retry.ts'
import { requireAsSent } from './stored-file.ts'
import type { Attempt, Transport, Upload } from './transport.ts'

export const tus: Transport = { send, discard }

async function send(upload: Upload, attempt: Attempt): Promise<void> {
  const { signal } = attempt
  const found = await findOwn(upload, attempt)
  if (signal.aborted) throw abortedBy(signal)
  attempt.onStart(found?.offset ?? 0)
  // Loaded with the first large file, so that the listing does not wait for it.
  const { sendRest } = await import('./tus-client.ts')
  const etag = await sendRest(upload, attempt, found).catch(async (error) => {
    if (error instanceof ChangedFileError) await withdraw(upload, attempt)
    throw error
  })
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
  if (!attempt.isFirst) {
    attempt.onBegun(found.begun)
    return found
  }
  // The page has not sent these bytes itself.
  const { ifSameStart } = await import('./same-start.ts')
  const same = await ifSameStart(upload, found, attempt.signal)
  if (same) attempt.onBegun(same.begun)
  else await withdraw({ ...upload, begun: found.begun }, attempt)
  return same
}

/** Deletes what the server has of a file that has changed. */
async function withdraw(upload: Upload, attempt: Attempt): Promise<void> {
  await discard(upload)
  attempt.onBegun(undefined)
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
