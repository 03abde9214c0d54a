/** A screen of the settings, as its address names it. */
export type Screen =
  | { name: 'profile' | 'shares' | 'trash' | 'activity' | 'global' | 'users' | 'newUser' }
  | { name: 'user'; id: number }
