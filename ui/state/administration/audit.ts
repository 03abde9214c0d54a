/** Audit records for the activity page and the details panel: one's own, and for administrators those of all users. */

import { proxy, ref } from 'valtio'
import * as api from '#ui/api/accounts/audit.ts'
import * as usersApi from '#ui/api/accounts/users.ts'
import { t } from '#ui/i18n/i18n.ts'
import { type ActivityFilter, NO_FILTER } from '#ui/lib/accounts/activity-filter.ts'
import { assign } from '#ui/lib/assign.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import type { AuditEntry, ListedAuditEntry } from '#wire/api/audit.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { isInside, parsePath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { onUndone, undoGroup } from '../changes/undo.ts'
import { toastError, toastSuccess } from '../messages/toasts.ts'
import { onUserChange, session } from '../session/session.ts'

interface AuditState {
  /** The newest first; undefined until the first page is loaded. */
  records: readonly ListedAuditEntry[] | undefined
  /** Whether older records may exist. */
  hasMore: boolean
  isLoading: boolean
  fault: Fault | undefined
}

const NOTHING: AuditState = {
  records: undefined,
  hasMore: false,
  isLoading: false,
  fault: undefined,
}

export const audit = proxy<AuditState>({ ...NOTHING })

/** Loads the newest records that match. The records shown before stay until the response arrives. */
export async function loadRecords(newFilter: ActivityFilter): Promise<void> {
  filter = newFilter
  request?.abort()
  const current = new AbortController()
  request = current
  await loadAdminScope()
  // By now the page may be left, or another load may have begun.
  if (request === current) await load(undefined)
}

/** Loads the next page of older records. */
export async function loadOlderRecords(): Promise<void> {
  await load(audit.records?.at(-1)?.id)
}

/**
 * The server finds a path as a part of others too, such as `/a` in `/abc`, so more than one page may be needed.
 *
 * @returns the last records of one path and the paths below it, newest first
 * @throws Fault unavailable
 */
export async function recordsOf(path: TreePath, signal: AbortSignal): Promise<AuditEntry[]> {
  await loadAdminScope()
  const isAtOrBelow = (recordPath: string) => {
    const treePath = pathInScope(recordPath)
    return treePath !== undefined && isInside(treePath, path)
  }
  const found: AuditEntry[] = []
  let before: number | undefined
  for (let page = 0; page < ON_DEMAND_LIMITS.detailsAuditPagesMax; page += 1) {
    // The first page has enough records nearly always.
    const limit = page === 0 ? LIMITS.auditPage : LIMITS.auditPageMax
    const records = await api.list({ ...NO_FILTER, path }, { before, limit }, signal)
    found.push(...records.filter((record) => isAtOrBelow(record.path) || isAtOrBelow(record.to)))
    if (found.length >= ON_DEMAND_LIMITS.detailsRecordsMax || records.length < limit) break
    before = records.at(-1)?.id
  }
  return found.slice(0, ON_DEMAND_LIMITS.detailsRecordsMax)
}

/** Undoes the change of a record, shows the result as a message and loads the shown records again. */
export async function undoRecord({ entry }: Pick<AuditEntry, 'entry'>): Promise<void> {
  try {
    await undoGroup([entry])
    toastSuccess(t('toasts.undone'))
  } catch (error) {
    toastError(error)
    await reloadRecords()
  }
}

/** An undo, also by the keys, marks a record as undone. */
onUndone(() => void reloadRecords())

/** Loads the shown records again, unless the page was left. */
async function reloadRecords(): Promise<void> {
  if (!request) return
  const shown = audit.records?.length ?? 0
  await load(undefined, Math.min(Math.max(shown, LIMITS.auditPage), LIMITS.auditPageMax))
}

/** Whether the change of a record can be undone. An undo itself cannot be undone here. */
export function canUndo({ entry, undoneBy, undoObstacle, action }: ListedAuditEntry): boolean {
  return entry !== 0 && undoneBy === 0 && undoObstacle === '' && action !== 'undo'
}

/** Clears the store when the page is left. */
export function clearRecords(): void {
  request?.abort()
  request = undefined
  adminScope = undefined
  assign(audit, NOTHING)
}

/**
 * Translates a path of an audit record to the reader's scope. The records of administrators have paths from the served
 * root, and their scope may be only a part of it.
 *
 * @returns undefined if the path is outside of the scope
 */
export function pathInScope(path: string): TreePath | undefined {
  if (path === '') return undefined
  const treePath = parsePath(path)
  if (!isAdministrator() || adminScope === undefined) return treePath
  return isInside(treePath, adminScope) ? relativePath(treePath, adminScope) : undefined
}

function isAdministrator(): boolean {
  return session.user !== null && permits(session.user.perm, 'administer')
}

let filter = NO_FILTER
/** The path of the administrator's scope below the served root; undefined until it is known. */
let adminScope: TreePath | undefined
let request: AbortController | undefined

/** The scope of one administrator must not be used for the paths of the next. */
onUserChange(clearRecords)

/** Loads one page: the newest records, or those older than the record with the id `before`. */
async function load(before: number | undefined, limit: number = LIMITS.auditPage): Promise<void> {
  request?.abort()
  const current = new AbortController()
  request = current
  audit.isLoading = true
  try {
    const page = await api.list(filter, { before, limit }, current.signal)
    if (request !== current) return
    const records = before === undefined ? page : [...(audit.records ?? []), ...page]
    show(records, { hasMore: page.length === limit })
  } catch (error) {
    if (request === current && !isFault(error, 'aborted')) fail(error)
  }
}

function show(
  records: readonly ListedAuditEntry[],
  { hasMore }: Pick<AuditState, 'hasMore'>,
): void {
  assign(audit, { records: ref(records), hasMore, isLoading: false, fault: undefined })
}

function fail(error: unknown): void {
  assign(audit, { isLoading: false, fault: ref(toFault(error)) })
}

/** Sets `adminScope`, if an administrator is signed in and it is unknown. If it cannot be read, it is the root. */
async function loadAdminScope(): Promise<void> {
  const id = session.user?.id
  if (id === undefined || !isAdministrator() || adminScope !== undefined) return
  const { scope } = await usersApi.read(id).catch(() => ({ scope: ROOT }))
  if (session.user?.id === id) adminScope = parsePath(scope)
}
