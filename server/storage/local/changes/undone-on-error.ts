/** For recorded steps, right when they happen. */

import type { Step } from '#server/storage/step.ts'
import type { Changes } from './changes.ts'

/**
 * Marks the steps as undone if `act` throws. Other steps of the same change may have happened.
 *
 * @returns what `act` returns
 */
export function markUndoneOnError<T>(
  changes: Changes,
  steps: readonly (Step | undefined)[],
  act: () => T,
): T {
  try {
    return act()
  } catch (error) {
    changes.markUndone(steps)
    throw error
  }
}
