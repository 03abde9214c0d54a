import type { User } from '#wire/user.ts'

/**
 * Changes of a user. Absent fields keep their value; of a new or imported user they take the default. The password is
 * changed separately, as a hash.
 */
export type UserChanges = Partial<Omit<User, 'id' | 'password'>>
