import type { TreePath } from '#wire/paths.ts'

/** A screen of the settings, by its URL. */
export type Screen =
  | { name: 'profile' | 'shares' | 'trash' | 'activity' | 'global' | 'users' | 'newUser' }
  | { name: 'user'; id: number }
  | { name: 'space'; folder: TreePath }
