/** The networks from which each user has signed in: failures of others do not block sign-ins from there. */

import type { PersonalRows } from '#server/db/rows/personal.ts'
import { networkPrefix } from '#server/lib/network.ts'

const KEY = 'networks'
/** The greatest number of networks that are stored for a user. */
export const NETWORKS_MAX = 32

export class KnownNetworks {
  readonly #rows: PersonalRows

  constructor(rows: PersonalRows) {
    this.#rows = rows
  }

  async has(userId: number, address: string): Promise<boolean> {
    return (await this.#of(userId)).includes(networkPrefix(address))
  }

  /** Stores a network; if there are too many, the one that was unused for the longest time is removed. */
  async add(userId: number, address: string): Promise<void> {
    const network = networkPrefix(address)
    if ((await this.#of(userId)).at(-1) === network) return
    await this.#rows.atomically(async () => {
      const others = (await this.#of(userId)).filter((known) => known !== network)
      const kept = [...others, network].slice(-NETWORKS_MAX)
      await this.#rows.put(userId, KEY, JSON.stringify(kept))
    })
  }

  /** The networks of a user, the one that was unused for the longest time first. */
  async #of(userId: number): Promise<string[]> {
    // Written only by `add`.
    return JSON.parse((await this.#rows.find(userId, KEY)) ?? '[]') as string[]
  }
}
