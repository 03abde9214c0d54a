/** A screen of the settings, as its address names it. */
export type Screen =
  | { name: 'profile' | 'shares' | 'global' | 'users' | 'newUser' }
  | { name: 'user'; id: number }
