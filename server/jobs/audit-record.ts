/** Builds the audit record of an item that is done or has failed. */
import type { NewAuditRecord } from '#server/db/rows/audit.ts'
import type { StoredItem, StoredJob } from '#server/db/rows/job-rows.ts'
import { STATUS_BY_CODE } from '#server/lib/fault-status.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import type { JobKind } from '#wire/api/jobs.ts'
import { readFaultHeader } from '#wire/fault.ts'
import { joinPath } from '#wire/paths.ts'

const AUDIT_ACTION: Record<JobKind, AuditAction> = {
  copy: 'copy',
  move: 'rename',
  delete: 'delete',
  extract: 'extract',
  archive: 'archive',
  sums: 'upload',
  verify: 'download',
  import: 'upload',
}

export function auditRecordOf(job: StoredJob, item: StoredItem): NewAuditRecord {
  const to = item.resultPath || item.to
  return {
    atMs: Date.now(),
    userId: job.userId,
    username: job.username,
    session: job.session,
    address: '',
    action: AUDIT_ACTION[job.kind],
    path: joinPath(job.scope, item.path),
    to: to === '' ? '' : joinPath(job.scope, to),
    whom: '',
    bytes: item.bytes,
    status: statusOf(item.fault),
    share: '',
    times: 1,
    entry: item.fault === '' ? item.entry : 0,
    fault: item.fault,
  }
}

/** @param fault as in `X-Fault`; empty for success */
function statusOf(fault: string): number {
  if (fault === '') return 200
  return STATUS_BY_CODE[readFaultHeader(fault)?.code ?? 'internal']
}
