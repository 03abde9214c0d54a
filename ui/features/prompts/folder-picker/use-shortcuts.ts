import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { recentDestinations } from '#ui/state/folder/destinations.ts'
import { favourites, loadFavourites } from '#ui/state/folder/favourites.ts'
import { isInside, type TreePath } from '#wire/paths.ts'
import type { Shortcut } from './Shortcuts.tsx'

/**
 * The last destinations, then the favourite folders, each folder once.
 *
 * @param start the folder in which the picker began: it needs no shortcut
 * @param excluded these folders and everything below them are left out
 */
export function useShortcuts(start: TreePath, excluded: readonly TreePath[]): readonly Shortcut[] {
  const [recent] = useState(recentDestinations)
  const { paths } = useSnapshot(favourites)
  // Without them, the picker has fewer shortcuts.
  useEffect(() => void loadFavourites().catch(() => undefined), [])
  const isPossible = (path: TreePath) =>
    path !== start && !excluded.some((folder) => isInside(path, folder))
  const last = recent.filter(isPossible).slice(0, ON_DEMAND_LIMITS.pickerRecentMax)
  const starred = (paths ?? []).filter((path) => isPossible(path) && !last.includes(path))
  return [
    ...last.map((path) => ({ path, icon: 'history' as const })),
    ...starred
      .slice(0, ON_DEMAND_LIMITS.pickerFavouritesMax)
      .map((path) => ({ path, icon: 'star' as const })),
  ]
}
