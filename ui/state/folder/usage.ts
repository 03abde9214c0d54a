/** The usage of the disk of the shown folder, if the server shows it. */
import { proxy, useSnapshot } from 'valtio'
import { listenToRequests } from '#ui/api/client/request.ts'
import { usage as fetchUsage } from '#ui/api/files/usage.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { Listing, UserUsage } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { toastError, toastNote } from '../messages/toasts.ts'
import { onUserChange, session } from '../session/session.ts'
import { settings } from '../session/settings.ts'

/** `known` is null until the usage is loaded; after a failure the last value stays. */
export const usage = proxy<{ known: UserUsage | null }>({ known: null })

let loading: AbortController | undefined
/** How many items of the user the server has removed from the trash to make room, as it said last. */
let removed: number | undefined
/** The folder whose usage was asked for last. */
let folder: TreePath | undefined
/** Its listing then; undefined if something may have changed since. */
let listed: Listing | undefined

/** A change takes up or frees space, also one that the listing does not show, such as that of the trash. */
listenToRequests({
  onChanged() {
    listed = undefined
  },
})

/** The next user must not see the usage of this one. */
onUserChange(() => {
  loading?.abort()
  loading = undefined
  usage.known = null
  removed = folder = listed = undefined
})

/**
 * Loads the usage of the disk of a folder again, unless the administrator hides it, and says what the server has removed from
 * the trash since the last time. A failure becomes a message (docs/specification.md 8).
 */
export async function loadUsage(of: TreePath): Promise<void> {
  loading?.abort()
  if (!session.user || settings.DisableUsedPercentage) return
  const current = new AbortController()
  loading = current
  folder = of
  try {
    const known = await fetchUsage(of, current.signal)
    if (loading !== current) return
    usage.known = known
    const { removedFromTrash: now = 0 } = known
    const more = now - (removed ?? now)
    removed = now
    if (more > 0) toastNote(t('toasts.removedFromTrash', { value: formatNumber(more) }))
  } catch (error) {
    if (loading !== current) return
    listed = undefined
    toastError(error)
  }
}

/** As `loadUsage`, unless it was loaded with the same listing last, and nothing has changed since. */
export async function loadUsageWith(listing: Listing): Promise<void> {
  if (listing === listed && listing.path === folder) return
  listed = listing
  await loadUsage(listing.path)
}

/** As `loadUsage`, of the folder whose usage was asked for last; after a change that no request of this window has made. */
export async function loadUsageAgain(): Promise<void> {
  if (folder !== undefined) await loadUsage(folder)
}

/** As `loadUsage`, unless it was loaded for this folder last. */
export async function loadUsageOnce(of: TreePath): Promise<void> {
  if (of !== folder) await loadUsage(of)
}

/** @returns the bytes that the user can free by emptying the trash; 0 if they are little compared with what is free */
export function freedByEmptying({ free, trash }: UserUsage): number {
  const bytes = trash ? trash.bytes - trash.freeBytes : 0
  return bytes > UI_LIMITS.trashShownFraction * free ? bytes : 0
}

/** @returns the usage; null if it is unknown or the administrator hides it */
export function useUsage(): UserUsage | null {
  const { known } = useSnapshot(usage)
  const { DisableUsedPercentage } = useSnapshot(settings)
  return DisableUsedPercentage ? null : known
}
