/**
 * The folder that was last served with a database, and the URL of that server. Users, rules and shares have no folder of
 * their own: they apply to each folder that is served with the database.
 */
import type { SettingRows } from '#server/db/settings.ts'

const ROOT_KEY = 'servedRoot'
const URL_KEY = 'servedUrl'

export class LastServed {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  /**
   * Stores the folder that is served now.
   *
   * @param root its path on the disk
   * @returns the folder that was served before; undefined if it was the same, or there was none
   */
  replaceRoot(root: string): string | undefined {
    const previous = this.#rows.find(ROOT_KEY)
    if (previous === root) return undefined
    this.#rows.put(ROOT_KEY, root)
    return typeof previous === 'string' ? previous : undefined
  }

  /** Stores the URL at which other devices reach the server; empty for a socket, whose URL only the proxy has. */
  putUrl(url: string): void {
    if (this.url() !== url) this.#rows.put(URL_KEY, url)
  }

  /** @returns the URL of the last server, without a trailing slash; empty if it is unknown */
  url(): string {
    return String(this.#rows.find(URL_KEY) ?? '')
  }
}
