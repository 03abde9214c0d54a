/** Requests for audit records. */
import { type ActivityFilter, recordsUrl } from '#ui/lib/accounts/activity-filter.ts'
import type { ListedAuditEntry } from '#wire/api/audit.ts'
import { requestJson } from '../client/request.ts'

interface Page {
  /** The id of the record before which the page begins; undefined for the first page. */
  before?: number | undefined
  /** The maximum number of records, by default `LIMITS.auditPage`. */
  limit?: number | undefined
}

/**
 * @returns one page of matching records, newest first
 * @throws Fault badRequest (an invalid filter)
 */
export function list(
  filter: ActivityFilter,
  page: Page = {},
  signal?: AbortSignal,
): Promise<ListedAuditEntry[]> {
  return requestJson<ListedAuditEntry[]>(recordsUrl(filter, page), { signal })
}
