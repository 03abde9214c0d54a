/** Requests of the audit record. */
import { type ActFilter, actsUrl } from '#ui/lib/act-filter.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { requestJson } from './request.ts'

/**
 * @returns one page of matching records, newest first, older than the record `before`
 * @throws Fault badRequest
 */
export function list(
  filter: ActFilter,
  before?: number,
  signal?: AbortSignal,
): Promise<AuditEntry[]> {
  return requestJson<AuditEntry[]>(actsUrl(filter, { before }), { signal })
}
