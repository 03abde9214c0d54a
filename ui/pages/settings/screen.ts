import type { GlobalSection } from '#ui/lib/accounts/global-sections.ts'
import type { TreePath } from '#wire/paths.ts'

/** A screen of the settings, by its URL. */
export type Screen =
  | { name: 'profile' | 'shares' | 'trash' | 'activity' | 'users' | 'newUser' }
  | { name: 'global'; section: GlobalSection }
  | { name: 'user'; id: number }
  | { name: 'space'; folder: TreePath }
