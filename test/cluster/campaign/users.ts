/** Simulated users (test/faults/load.ts) who change files at random servers. */
import type { ExpectedState } from '../../faults/expected-state.ts'
import { type Draw, SimulatedUser } from '../../faults/load.ts'
import type { Client } from '../../support/server/client.ts'
import { UNDECIDED } from './actor.ts'

/** A long round must not have more changes than can be undone after it. */
const CHANGES_MAX = 60

export class Users {
  readonly #client: Client
  readonly #expected: ExpectedState
  readonly #folder: string
  readonly #draw: Draw
  readonly #users: SimulatedUser[] = []

  /** @param folder the beginning of the names of its folders */
  constructor(client: Client, expected: ExpectedState, folder: string, draw: Draw) {
    this.#client = client
    this.#expected = expected
    this.#folder = folder
    this.#draw = draw
  }

  get done(): number {
    return this.#users.reduce((sum, { done }) => sum + done, 0)
  }

  /** After an undecided change, it goes on in another folder. @throws Error if a server refuses a change */
  async work(mayGoOn: () => boolean): Promise<void> {
    const isMore = () => mayGoOn() && this.done < CHANGES_MAX
    while (isMore()) {
      const folder = `${this.#folder}-${this.#users.length}`
      const user = new SimulatedUser(this.#client, this.#expected, folder, this.#draw, UNDECIDED)
      this.#users.push(user)
      await user.work(isMore)
    }
  }

  /** Completes the uploads that were interrupted. @throws Error if confirmed bytes are lost */
  async resume(): Promise<number> {
    let resumed = 0
    for (const user of this.#users) if (await user.resume(this.#client)) resumed += 1
    return resumed
  }
}
