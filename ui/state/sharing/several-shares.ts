/** Shares of several entries, created at once. */
import * as api from '#ui/api/files/share.ts'
import { mapLimited } from '#ui/lib/map-limited.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { NewShare } from '#wire/api/share.ts'
import { shares } from './shares.ts'

/** An entry for which no share was created. */
export interface ShareFailure {
  entry: Entry
  error: unknown
}

/**
 * Creates one share for each entry. `shares.items` then has these shares, in the order of the entries.
 *
 * @returns the failures
 */
export async function createShares(
  entries: readonly Entry[],
  options: NewShare,
): Promise<ShareFailure[]> {
  const failures: ShareFailure[] = []
  const created = await mapLimited(entries, ON_DEMAND_LIMITS.concurrentChanges, (entry) =>
    api.create(entry.path, entry.isDir, options).catch((error: unknown) => {
      failures.push({ entry, error })
      return undefined
    }),
  )
  shares.items = created.filter((share) => share !== undefined)
  return failures
}
