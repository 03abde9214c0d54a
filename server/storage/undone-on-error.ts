/** For steps that were recorded right before they happen. */
import type { Changes } from './changes.ts'
import type { Step } from './step.ts'

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
