/** The filter of the audit record, as query strings of the page and of the server. Pure. */
import { AUDIT_ACTIONS, type AuditAction } from '#wire/audit.ts'
import { API, queryString } from '#wire/routes.ts'

/** An empty field does not filter. */
export interface ActFilter {
  username: string
  action: AuditAction | ''
  /** A part of the path. */
  path: string
  /** Days of the user's local calendar, `2026-11-18`, both included. */
  from: string
  until: string
}

export const EVERY_ACT: ActFilter = { username: '', action: '', path: '', from: '', until: '' }

/** Parses a query string; unknown parameters are ignored. */
export function filterIn(search: string): ActFilter {
  const query = new URLSearchParams(search)
  const text = (name: keyof ActFilter) => query.get(name) ?? ''
  const day = (name: keyof ActFilter) => (/^\d{4}-\d\d-\d\d$/.test(text(name)) ? text(name) : '')
  return {
    username: text('username'),
    action: AUDIT_ACTIONS.find((action) => action === text('action')) ?? '',
    path: text('path'),
    from: day('from'),
    until: day('until'),
  }
}

/** The inverse of `filterIn`: `?action=delete`, or an empty string. */
export function searchFor(filter: ActFilter): string {
  return queryString(given(filter))
}

/** The server's URL for the records that match. */
export function actsUrl(
  filter: ActFilter,
  options: { before?: number | undefined; format?: 'csv' | 'jsonl' } = {},
): string {
  const { from, until, ...others } = filter
  return (
    API.audit +
    queryString({
      ...given(others),
      from: startOfDay(from, 0),
      until: startOfDay(until, 1),
      ...options,
    })
  )
}

function given(fields: Partial<ActFilter>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text || undefined]))
}

/** The local start of a day, plus some days; undefined without a day. */
function startOfDay(day: string, later: number): string | undefined {
  if (day === '') return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(year, month - 1, date + later)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
