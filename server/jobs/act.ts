/** What became of an item of a job, as a line of the record. */
import type { NewAct } from '#server/db/audit.ts'
import type { StoredItem, StoredJob } from '#server/db/job-rows.ts'
import type { AuditAction } from '#wire/audit.ts'
import type { JobKind } from '#wire/jobs.ts'
import { joinPath } from '#wire/paths.ts'

const ACTION: Record<JobKind, AuditAction> = {
  copy: 'copy',
  move: 'rename',
  delete: 'delete',
  extract: 'extract',
  archive: 'archive',
  sums: 'upload',
  verify: 'download',
}

/** What other doors answer with 403. */
const REFUSED = ['forbidden', 'outside', 'readOnly', 'unauthenticated']

export function actOfJob(job: StoredJob, item: StoredItem): NewAct {
  const to = item.landed || item.to
  return {
    atMs: Date.now(),
    userId: job.userId,
    username: job.username,
    session: job.session,
    address: '',
    action: ACTION[job.kind],
    path: joinPath(job.scope, item.path),
    to: to === '' ? '' : joinPath(job.scope, to),
    whom: '',
    bytes: item.bytes,
    status: item.fault === '' ? 200 : REFUSED.includes(item.fault) ? 403 : 409,
    share: '',
    times: 1,
    entry: item.fault === '' ? item.entry : 0,
  }
}
