/** The order of results: files and folders that are often opened come earlier. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'

/**
 * Each time that the user opened a result moves it up by one row, by `finderLiftMaxRows` rows at most.
 *
 * @param hits in the order of the server
 * @param uses returns how often the user opened a path
 */
export function rankByUse(
  hits: readonly Entry[],
  uses: (path: TreePath) => number,
): readonly Entry[] {
  const ranked = hits.map((hit, index) => {
    const used = uses(hit.path)
    return { hit, used, rank: index - Math.min(used, ON_DEMAND_LIMITS.finderLiftMaxRows) }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank || b.used - a.used).map(({ hit }) => hit)
}
