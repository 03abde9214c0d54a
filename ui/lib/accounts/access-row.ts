import type { IconName } from '../icons.ts'

/** A share or a user with access to an entry, as the details panel shows it. */
export interface AccessRow {
  key: string
  icon: IconName
  title: string
  facts: string
  /** The text of the tooltip. */
  hint?: string | undefined
}

export interface AccessRows {
  shares: readonly AccessRow[]
  users: readonly AccessRow[]
  /** Whether the list is incomplete. */
  isPartial: boolean
}
