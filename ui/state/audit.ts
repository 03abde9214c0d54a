/** The audit record: one's own records, and for administrators those of all users. */
import { proxy, ref } from 'valtio'
import * as api from '#ui/api/audit.ts'
import * as usersApi from '#ui/api/users.ts'
import { t } from '#ui/i18n/i18n.ts'
import { type ActFilter, EVERY_ACT } from '#ui/lib/act-filter.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { isInside, parsePath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { session } from './session.ts'
import { toastError, toastSuccess } from './toasts.ts'
import { undoGroup } from './undo.ts'

interface AuditState {
  /** The newest first; undefined until the first page is loaded. */
  acts: readonly AuditEntry[] | undefined
  /** Whether older records may exist. */
  hasMore: boolean
  loading: boolean
  fault: Fault | undefined
}

const NOTHING: AuditState = { acts: undefined, hasMore: false, loading: false, fault: undefined }

/** The number of records that the details of one entry show. */
const ACTS_ON_ONE = 5

export const audit = proxy<AuditState>({ ...NOTHING })

/** Loads the newest records that match. The present ones are shown until the answer arrives. */
export async function loadActs(wanted: ActFilter): Promise<void> {
  filter = wanted
  if (session.user?.perm.admin && top === undefined) top = await ownScope()
  await load(undefined)
}

/** Loads the next page of older records. */
export async function loadOlderActs(): Promise<void> {
  await load(audit.acts?.at(-1)?.id)
}

/**
 * @returns the last records of one path and the paths below it, newest first
 * @throws Fault unavailable
 */
export async function actsOn(path: TreePath, signal: AbortSignal): Promise<AuditEntry[]> {
  if (session.user?.perm.admin && top === undefined) top = await ownScope()
  const acts = await api.list({ ...EVERY_ACT, path }, undefined, signal)
  const isOn = (named: string) => {
    const own = ownPath(named)
    return own !== undefined && isInside(own, path)
  }
  return acts.filter((act) => isOn(act.path) || isOn(act.to)).slice(0, ACTS_ON_ONE)
}

/** Undoes the change of a record, shows the result as a message and loads the records again. */
export async function undoAct({ entry }: Pick<AuditEntry, 'entry'>): Promise<void> {
  try {
    await undoGroup([entry])
    toastSuccess(t('toasts.undone'))
  } catch (error) {
    toastError(error)
  }
  await load(undefined)
}

/** Whether the change of a record can be undone. An undo itself cannot be undone here. */
export function canUndo({ entry, undoneBy, action }: AuditEntry): boolean {
  return entry !== 0 && undoneBy === 0 && action !== 'undo'
}

/** Clears the store when the page is left. */
export function leaveActs(): void {
  loading?.abort()
  top = undefined
  Object.assign(audit, NOTHING)
}

/**
 * Translates a path of the record to the reader's scope; undefined if it is outside. Administrators read paths from
 * the served root, and their scope may be only a part of it.
 */
export function ownPath(path: string): TreePath | undefined {
  if (path === '') return undefined
  const own = parsePath(path)
  if (!session.user?.perm.admin || top === undefined) return own
  return isInside(own, top) ? relativePath(own, top) : undefined
}

let filter = EVERY_ACT
/** The path of the administrator's scope below the served root. */
let top: TreePath | undefined
let loading: AbortController | undefined

async function load(before: number | undefined): Promise<void> {
  loading?.abort()
  const current = new AbortController()
  loading = current
  audit.loading = true
  try {
    const page = await api.list(filter, before, current.signal)
    if (loading === current)
      show(before === undefined ? page : [...(audit.acts ?? []), ...page], page)
  } catch (error) {
    if (loading === current && !isFault(error, 'aborted')) fail(error)
  }
}

function show(acts: readonly AuditEntry[], page: readonly AuditEntry[]): void {
  const hasMore = page.length === LIMITS.auditPage
  Object.assign(audit, { acts: ref(acts), hasMore, loading: false, fault: undefined })
}

function fail(error: unknown): void {
  const fault = error instanceof Fault ? error : new Fault('internal', '', { cause: error })
  Object.assign(audit, { loading: false, fault: ref(fault) })
}

async function ownScope(): Promise<TreePath> {
  const { scope } = await usersApi.read(session.user?.id ?? 0).catch(() => ({ scope: ROOT }))
  return parsePath(scope)
}
