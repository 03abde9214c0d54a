/** The imports from File Browser that were carried out. An import of the same content is not carried out again. */
import type { SettingRows } from '#server/db/rows/settings.ts'

/** The key in the table of settings. Existing databases contain it, so it does not change. */
const KEY = 'takeovers'

export class ImportHistory {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  /** @param digest of the imported content, as in `ImportPlan` */
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
