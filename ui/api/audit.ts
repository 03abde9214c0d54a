/** Requests for audit records. */
import { type ActivityFilter, recordsUrl } from '#ui/lib/activity-filter.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { requestJson } from './request.ts'

/**
 * @returns one page of matching records, newest first, older than the record `before`
 * @throws Fault badRequest (an invalid filter)
 */
export function list(
  filter: ActivityFilter,
  before?: number,
  signal?: AbortSignal,
): Promise<AuditEntry[]> {
  return requestJson<AuditEntry[]>(recordsUrl(filter, { before }), { signal })
}
