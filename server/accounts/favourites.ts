/** A user's favourite folders, in order (docs/api.md 27). */
import type { PersonalRows } from '#server/db/rows/personal.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'

const KEY = 'favourites'

export class Favourites {
  readonly #rows: PersonalRows

  constructor(rows: PersonalRows) {
    this.#rows = rows
  }

  /** Paths in the user's scope. */
  async of(userId: number): Promise<TreePath[]> {
    // Written only by `put`.
    return JSON.parse((await this.#rows.find(userId, KEY)) ?? '[]') as TreePath[]
  }

  /**
   * Replaces the list; duplicates are dropped.
   *
   * @throws Fault badRequest
   */
  async put(userId: number, paths: readonly string[]): Promise<void> {
    const favourites = [...new Set(paths.map(parsePath))]
    const text = JSON.stringify(favourites)
    if (
      favourites.length > SERVER_LIMITS.favouritesMax ||
      text.length > SERVER_LIMITS.favouritesMaxChars
    ) {
      throw new Fault(
        'badRequest',
        `A user may have at most ${SERVER_LIMITS.favouritesMax} favourites. Remove some first.`,
        { reason: 'favouritesFull' },
      )
    }
    await this.#rows.put(userId, KEY, text)
  }
}
