/** Which old installations were taken over, so that none is twice. */
import type { SettingRows } from '#server/db/settings.ts'

const KEY = 'takeovers'

export class Takeovers {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  has(digest: string): boolean {
    return this.#list().some((known) => known.digest === digest)
  }

  add(digest: string): void {
    this.#rows.put(KEY, [...this.#list(), { digest, atMs: Date.now() }])
  }

  #list(): { digest: string; atMs: number }[] {
    // Written by `add` alone.
    return (this.#rows.find(KEY) ?? []) as { digest: string; atMs: number }[]
  }
}
