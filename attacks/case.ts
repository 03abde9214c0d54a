/** One attack, with a legitimate counterpart that must still succeed. */
import type { Fixture } from './fixture.ts'

export interface AttackCase {
  /** `G-01`: the id in the tests and in docs/attacks.md. */
  id: string
  /** A description of the attack. */
  attack: string
  /** Why it fails. */
  reason: string
  /** Published advisories about this attack on other programs: an id, or the program and its version. */
  advisories?: readonly string[]
  /**
   * Runs the attack and its counterpart.
   *
   * @throws AssertionFailure if the attack succeeds, or the counterpart fails
   */
  run(fixture: Fixture): Promise<void>
}
