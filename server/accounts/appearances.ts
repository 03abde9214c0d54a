/** How the interface looks for each user (docs/api.md 30). */
import type { PersonalRows } from '#server/db/rows/personal.ts'
import { type Appearance, appearanceShape } from '#wire/api/appearance.ts'

const KEY = 'appearance'

export class Appearances {
  readonly #rows: PersonalRows

  constructor(rows: PersonalRows) {
    this.#rows = rows
  }

  async of(userId: number): Promise<Appearance> {
    return appearanceShape.parse(JSON.parse((await this.#rows.find(userId, KEY)) ?? '{}'))
  }

  /** Replaces all choices. */
  async put(userId: number, appearance: Appearance): Promise<void> {
    await this.#rows.put(userId, KEY, JSON.stringify(appearance))
  }
}
