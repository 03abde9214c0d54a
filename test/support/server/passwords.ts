/** Passwords of test users with ready hashes, so that a test server spends no time on hashing. */

/** The password of the administrator and of users that the tests add. */
export const PASSWORD = 'correct horse battery'

/**
 * Its argon2id hash with the smallest parameters. They stand in the hash, so the server verifies it in less than a
 * millisecond, where its own hashes take a tenth of a second.
 */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$ehBmpdSMdgjfGO5zGI2dfSkXbqTuG9szu1fjo6zVQu4$ODog3Qa627B7a2yhBIw2UQmnWNTv2G8B7WnGPT8z0G4'
