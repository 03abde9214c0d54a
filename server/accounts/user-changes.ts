/** Changes of a user. */
import type { User } from '#wire/user.ts'

/** Absent fields keep their value; for a new user they take the default. */
export type UserChanges = Partial<Omit<User, 'id' | 'password'>>
