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
  of(userId: number): TreePath[] {
    // Written only by `put`.
    return JSON.parse(this.#rows.find(userId, KEY) ?? '[]') as TreePath[]
  }

  /**
   * Replaces the list; duplicates are dropped.
   *
   * @throws Fault badRequest
   */
  put(userId: number, paths: readonly string[]): void {
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
    this.#rows.put(userId, KEY, text)
  }
}
