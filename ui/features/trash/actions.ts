/** What can be done with rows of the trash. */
import type { TrashRow } from './rows.ts'

export interface TrashActions {
  /** Undefined if the user has no right to it. */
  onRestore?: ((rows: readonly TrashRow[]) => void) | undefined
  /** Undefined if the user may not delete these rows permanently. */
  purgeOf(rows: readonly TrashRow[]): (() => void) | undefined
}
