import type { User } from '#wire/user.ts'

/**
 * Changes of a user. Absent fields keep their value; a new user gets the settings for new users
 * (`defaults`) instead. The password is changed separately, as a hash.
 */
export type UserChanges = Partial<Omit<User, 'id' | 'password'>>
