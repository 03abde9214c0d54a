/** The filter of the audit record, as query strings of the page and of the server. */
import { AUDIT_ACTIONS, type AuditAction } from '#wire/audit.ts'
import { API, queryString } from '#wire/routes.ts'

/** An empty field does not filter. */
export interface ActivityFilter {
  username: string
  action: AuditAction | ''
  /** A part of the path. */
  path: string
  /** Days of the user's local calendar, `2026-11-18`, both included. */
  from: string
  until: string
}

export const NO_FILTER: ActivityFilter = { username: '', action: '', path: '', from: '', until: '' }

/** Parses a query string; unknown parameters are ignored. */
export function parseFilter(search: string): ActivityFilter {
  const query = new URLSearchParams(search)
  const text = (name: keyof ActivityFilter) => query.get(name) ?? ''
  const day = (name: keyof ActivityFilter) =>
    /^\d{4}-\d\d-\d\d$/.test(text(name)) ? text(name) : ''
  return {
    username: text('username'),
    action: AUDIT_ACTIONS.find((action) => action === text('action')) ?? '',
    path: text('path'),
    from: day('from'),
    until: day('until'),
  }
}

/** The inverse of `parseFilter`: `?action=delete`, or an empty string. */
export function filterQuery(filter: ActivityFilter): string {
  return queryString(nonEmptyFields(filter))
}

/** The server's URL for the records that match. */
export function recordsUrl(
  filter: ActivityFilter,
  options: { before?: number | undefined; format?: 'csv' | 'jsonl' } = {},
): string {
  const { from, until, ...others } = filter
  return (
    API.audit +
    queryString({
      ...nonEmptyFields(others),
      from: startOfDay(from, 0),
      until: startOfDay(until, 1),
      ...options,
    })
  )
}

function nonEmptyFields(fields: Partial<ActivityFilter>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text || undefined]))
}

/** The start of a day in local time, `daysLater` days later, as an ISO time; undefined for an empty day. */
function startOfDay(day: string, daysLater: number): string | undefined {
  if (day === '') return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
