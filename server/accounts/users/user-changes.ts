import type { User } from '#wire/api/user.ts'

/**
 * Changes of a user. Absent fields keep their value; those of a new user get the settings for new users (`defaults`). The
 * password is changed separately, as a hash.
 */
export type UserChanges = Partial<Omit<User, 'id' | 'password'>>
