/** Records which installations of File Browser were imported, so that none is imported twice. */
import type { SettingRows } from '#server/db/settings.ts'

const KEY = 'takeovers'

export class ImportHistory {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  /** @param digest the checksum of the imported database */
  has(digest: string): boolean {
    return this.#list().some((known) => known.digest === digest)
  }

  add(digest: string): void {
    this.#rows.put(KEY, [...this.#list(), { digest, atMs: Date.now() }])
  }

  #list(): { digest: string; atMs: number }[] {
    // Written only by `add`.
    return (this.#rows.find(KEY) ?? []) as { digest: string; atMs: number }[]
  }
}
