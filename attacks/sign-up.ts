/** Sign-up, which is open only while a case runs. */
import { works } from './assertions.ts'
import type { Fields, Fixture } from './fixture.ts'
import { FIXTURE_PASSWORD } from './fixture-users.ts'

/**
 * Runs while sign-up is open, with home folders.
 *
 * @param defaults settings of users who sign up
 */
export async function withSignUp(
  fixture: Fixture,
  defaults: Fields,
  run: () => Promise<void>,
): Promise<void> {
  works(await fixture.settings({ signup: true, createUserDir: true, defaults }), 'opening sign-up')
  try {
    await run()
  } finally {
    await fixture.settings({ signup: false, createUserDir: false })
  }
}

export function signUp(fixture: Fixture, username: string, password = FIXTURE_PASSWORD) {
  return fixture.call('', 'POST', '/api/signup', { username, password })
}
