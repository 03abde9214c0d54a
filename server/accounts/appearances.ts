/** How the interface looks for each user (docs/api.md 30). */
import type { PersonalRows } from '#server/db/rows/personal.ts'
import { type Appearance, appearanceShape } from '#wire/api/appearance.ts'

const KEY = 'appearance'

export class Appearances {
  readonly #rows: PersonalRows

  constructor(rows: PersonalRows) {
    this.#rows = rows
  }

  of(userId: number): Appearance {
    return appearanceShape.parse(JSON.parse(this.#rows.find(userId, KEY) ?? '{}'))
  }

  /** Replaces all choices. */
  put(userId: number, appearance: Appearance): void {
    this.#rows.put(userId, KEY, JSON.stringify(appearance))
  }
}
