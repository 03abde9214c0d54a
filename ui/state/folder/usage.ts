/** Disk usage of the storage, if the server shows it. */
import { proxy, useSnapshot } from 'valtio'
import { usage as fetchUsage } from '#ui/api/files/usage.ts'
import type { Usage } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { toastError } from '../messages/toasts.ts'
import { onUserChange } from '../session/session.ts'
import { settings } from '../session/settings.ts'

/** `known` is null until the usage is loaded; after a failure the last value stays. */
export const usage = proxy<{ known: Usage | null }>({ known: null })

let loading: AbortController | undefined

/** The next user must not see the usage of this one. */
onUserChange(() => {
  loading?.abort()
  loading = undefined
  usage.known = null
})

/**
 * Loads the usage again, unless the administrator hides it. A failure becomes a message (docs/specification.md 8).
 */
export async function loadUsage(folder: TreePath): Promise<void> {
  loading?.abort()
  if (settings.DisableUsedPercentage) return
  const current = new AbortController()
  loading = current
  try {
    const known = await fetchUsage(folder, current.signal)
    if (loading === current) usage.known = known
  } catch (error) {
    if (loading === current) toastError(error)
  }
}

/** @returns the usage; null if it is unknown or the administrator hides it */
export function useUsage(): Usage | null {
  const { known } = useSnapshot(usage)
  const { DisableUsedPercentage } = useSnapshot(settings)
  return DisableUsedPercentage ? null : known
}
