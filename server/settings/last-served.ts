/**
 * The folder that was last served with a database, and the URL of that server. Users, rules and shares have no folder of
 * their own: they apply to each folder that is served with the database.
 */
import type { Config } from '#server/config/config.ts'
import { databaseText } from '#server/config/database-address.ts'
import { ownCommand } from '#server/config/own-command.ts'
import type { SettingRows } from '#server/db/rows/settings.ts'
import { Fault } from '#wire/fault.ts'

const ROOT_KEY = 'servedRoot'
const URL_KEY = 'servedUrl'

export class LastServed {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  /**
   * Without a written root, the working folder is served. With the database of another folder, that folder's users would
   * reach it, so this is refused.
   *
   * @param root the path of the folder to serve, on the disk
   * @throws Fault badRequest
   */
  async requireNamed(config: Config, root: string): Promise<void> {
    const last = await this.#root()
    if (isRootNamed(config) || last === undefined || last === root) return
    throw new Fault(
      'badRequest',
      `No folder is named, and the database ${databaseText(config.paths.database)} was last used for ${last}. Name the folder to serve: ${ownCommand(config, ['serve', last])}`,
    )
  }

  /** @returns the folder that a command means: the one that is named, else the one that was last served */
  async rootOf(config: Config): Promise<string> {
    const named = config.text('root')
    return isRootNamed(config) ? named : ((await this.#root()) ?? named)
  }

  /**
   * Stores the folder that is served now.
   *
   * @param root its path on the disk
   * @returns the folder that was served before; undefined if it was the same, or there was none
   */
  async replaceRoot(root: string): Promise<string | undefined> {
    const previous = await this.#root()
    if (previous === root) return undefined
    await this.#rows.put(ROOT_KEY, root)
    return previous
  }

  /** Stores the URL at which other devices reach the server; empty for a socket, whose URL only the proxy has. */
  async putUrl(url: string): Promise<void> {
    if ((await this.url()) !== url) await this.#rows.put(URL_KEY, url)
  }

  /** @returns the URL of the last server, without a trailing slash; empty if it is unknown */
  async url(): Promise<string> {
    return String((await this.#rows.find(URL_KEY)) ?? '')
  }

  async #root(): Promise<string | undefined> {
    const root = await this.#rows.find(ROOT_KEY)
    return typeof root === 'string' ? root : undefined
  }
}

function isRootNamed(config: Config): boolean {
  return config.settings.get('root')?.origin !== 'default'
}
