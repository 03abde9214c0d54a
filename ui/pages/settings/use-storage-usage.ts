import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { loadUsage, usage } from '#ui/state/folder/usage.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { ROOT } from '#wire/paths.ts'

/** Loads the usage for the sidebar, unless a folder has loaded it before. */
export function useStorageUsage(): void {
  const { DisableUsedPercentage } = useSnapshot(settings)
  const userId = useSnapshot(session).user?.id
  useEffect(() => {
    if (userId === undefined || usage.known || DisableUsedPercentage) return
    void loadUsage(ROOT)
  }, [DisableUsedPercentage, userId])
}
