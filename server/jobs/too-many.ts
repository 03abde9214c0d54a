/** The limits on the number of unfinished jobs. */

import type { JobRows } from '#server/db/rows/jobs.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Fault } from '#wire/fault.ts'

/** @throws Fault tooMany (this user has too many unfinished jobs), unavailable (all users have) */
export function refuseTooManyJobs(rows: JobRows, root: string, userId: number): void {
  const { perKey, all, message, retryAfterSec } = CONCURRENCY_LIMITS.jobs
  const count = rows.countUnfinished(root, userId)
  if (count.ofUser >= perKey) throw new Fault('tooMany', message, { retryAfterSec })
  if (count.all >= all) throw new Fault('unavailable', message, { retryAfterSec })
}
