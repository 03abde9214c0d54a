/** Limits on the size, number and age of unfinished uploads. */

import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Fault } from '#wire/fault.ts'

/**
 * @param limitBytes 0 means no limit
 * @throws Fault tooLarge
 */
export function refuseTooLarge(sizeBytes: number, limitBytes: number): void {
  if (limitBytes > 0 && sizeBytes > limitBytes) {
    throw new Fault('tooLarge', 'The file is larger than this server accepts.', {
      reason: 'fileTooLarge',
    })
  }
}

/** @throws Fault tooMany (this user has too many unfinished uploads), unavailable (all users have) */
export async function refuseTooMany(rows: UploadRows, userId: number): Promise<void> {
  const { message, reason, retryAfterSec, ...limits } = CONCURRENCY_LIMITS.uploads
  const count = await rows.countUnfinished(userId)
  if (count.ofUser >= limits.perKey) {
    throw new Fault('tooMany', message, { reason, retryAfterSec })
  }
  if (count.all >= limits.all) throw new Fault('unavailable', message, { retryAfterSec })
}

/**
 * When an upload is deleted unless it is continued, in milliseconds since 1970. The expiry counts from the last
 * activity.
 */
export function expiryMsOf({ touchedMs }: StoredUpload, expiryMs: number): number {
  return touchedMs + expiryMs
}

/** @throws Fault expired */
export function refuseExpired(upload: StoredUpload, expiryMs: number): void {
  if (Date.now() > expiryMsOf(upload, expiryMs)) {
    throw new Fault('expired', 'The upload has expired.')
  }
}
