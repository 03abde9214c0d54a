/** What people did: one's own acts, for administrators everybody's. */
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
  /** Newest first; undefined while the first are on the way. */
  acts: readonly AuditEntry[] | undefined
  /** Older ones may be there. */
  hasMore: boolean
  loading: boolean
  fault: Fault | undefined
}

const NOTHING: AuditState = { acts: undefined, hasMore: false, loading: false, fault: undefined }

export const audit = proxy<AuditState>({ ...NOTHING })

/** Shows the newest acts that fit; those shown stay until then. */
export async function loadActs(wanted: ActFilter): Promise<void> {
  filter = wanted
  if (session.user?.perm.admin && top === undefined) top = await ownScope()
  await load(undefined)
}

/** Shows a page more of the same. */
export async function loadOlderActs(): Promise<void> {
  await load(audit.acts?.at(-1)?.id)
}

/** Undoes the change that an act was. Says how that went, and shows the record of then. */
export async function undoAct({ entry }: Pick<AuditEntry, 'entry'>): Promise<void> {
  try {
    await undoGroup([entry])
    toastSuccess(t('toasts.undone'))
  } catch (error) {
    toastError(error)
  }
  await load(undefined)
}

/** Whether an act is a change that can be taken back: what is undone by hand is done again by hand. */
export function canUndo({ entry, undoneBy, action }: AuditEntry): boolean {
  return entry !== 0 && undoneBy === 0 && action !== 'undo'
}

/** Forgets everything: the page is left. */
export function leaveActs(): void {
  loading?.abort()
  top = undefined
  Object.assign(audit, NOTHING)
}

/**
 * A path of the record as the reader's own tree has it; undefined outside of it. Administrators read
 * paths of the whole tree, and may see only a part of it.
 */
export function ownPath(path: string): TreePath | undefined {
  if (path === '') return undefined
  const own = parsePath(path)
  if (!session.user?.perm.admin || top === undefined) return own
  return isInside(own, top) ? relativePath(own, top) : undefined
}

let filter = EVERY_ACT
/** Where the tree of an administrator begins. */
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
