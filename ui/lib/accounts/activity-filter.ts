/** The filter of the audit record, as query strings of the page and of the server. */
import { AUDIT_ACTIONS, type AuditAction, type AuditResult } from '#wire/api/audit.ts'
import { API, queryString } from '#wire/api/routes.ts'

/** A failed log-in is a choice of its own: its record has the same action as a successful one. */
export const FAILED_SIGN_IN = 'signInFailed'

export type ActivityChoice = AuditAction | typeof FAILED_SIGN_IN

/** What the filter offers, in this order. */
export const ACTIVITY_CHOICES: readonly ActivityChoice[] = AUDIT_ACTIONS.flatMap((action) =>
  action === 'signIn' ? [action, FAILED_SIGN_IN] : [action],
)

/** An empty field does not filter. */
export interface ActivityFilter {
  username: string
  action: ActivityChoice | ''
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
    action: ACTIVITY_CHOICES.find((action) => action === text('action')) ?? '',
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
  options: {
    before?: number | undefined
    limit?: number | undefined
    format?: 'csv' | 'jsonl'
  } = {},
): string {
  const { from, until, action, ...others } = filter
  return (
    API.audit +
    queryString({
      ...nonEmptyFields(others),
      ...recordedAs(action),
      from: startOfDay(from, 0),
      until: startOfDay(until, 1),
      ...options,
    })
  )
}

/** The action in the records, and the result where it distinguishes two choices. */
function recordedAs(choice: ActivityChoice | ''): {
  action?: AuditAction
  result?: AuditResult
} {
  if (choice === '') return {}
  if (choice === FAILED_SIGN_IN) return { action: 'signIn', result: 'failed' }
  return choice === 'signIn' ? { action: choice, result: 'succeeded' } : { action: choice }
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
