/** The record of what people did. */
import { type ActFilter, actsUrl } from '#ui/lib/act-filter.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { requestJson } from './request.ts'

/** The newest that fit, newest first: one page, older than the act `before`. @throws Fault badRequest */
export function list(
  filter: ActFilter,
  before?: number,
  signal?: AbortSignal,
): Promise<AuditEntry[]> {
  return requestJson<AuditEntry[]>(actsUrl(filter, { before }), { signal })
}
