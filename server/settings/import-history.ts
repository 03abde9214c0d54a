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
  async has(digest: string): Promise<boolean> {
    return (await this.#list()).some((known) => known.digest === digest)
  }

  async add(digest: string): Promise<void> {
    await this.#rows.put(KEY, [...(await this.#list()), { digest, atMs: Date.now() }])
  }

  async #list(): Promise<{ digest: string; atMs: number }[]> {
    // Written only by `add`.
    return ((await this.#rows.find(KEY)) ?? []) as { digest: string; atMs: number }[]
  }
}
