/** One attack of the catalogue, with the legitimate neighbour that must go on working. */
import type { Fixture } from './fixture.ts'

export interface Case {
  /** `G-01`: the same name in the tests and in SECURITY.md. */
  id: string
  /** What is tried. */
  attack: string
  /** Why it fails here. */
  because: string
  /** Tries it, and its twin. @throws Breach when it comes through, or the twin does not */
  run(fixture: Fixture): Promise<void>
}
