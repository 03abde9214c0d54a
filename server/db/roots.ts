/**
 * The folders that were served with this database, by their identity. Trash, journal, jobs and uploads have the path of
 * their folder in their rows; if the folder has another path, so do they.
 */
import type { Database } from './database.ts'
import { insertRow } from './insert-row.ts'
import { randomId } from './random-id.ts'
import { SettingRows } from './rows/settings.ts'

/** The tables with a column for the path of the served folder. */
const TABLES = ['kept', 'journal', 'jobs', 'uploads']
/** The setting that names this database in the folders that it has claimed. */
const DATABASE_ID = 'databaseId'
const ID_BYTES = 16

export class RootRows {
  readonly #db: Database
  readonly #settings: SettingRows

  constructor(db: Database) {
    this.#db = db
    this.#settings = new SettingRows(db)
  }

  /** @returns what names this database in the folders that it claims; undefined if it claims none */
  async databaseId(): Promise<string | undefined> {
    const id = await this.#settings.find(DATABASE_ID)
    return typeof id === 'string' ? id : undefined
  }

  /** From now on this database claims the folders that are served with it. Its copies have the same id. */
  async claimFolders(): Promise<void> {
    await this.#settings.ensure(DATABASE_ID, randomId(ID_BYTES))
  }

  /** @returns the identity of the folder that was last served at a path; undefined if it is not known */
  async identityAt(path: string): Promise<string | undefined> {
    return (
      await this.#db
        .query<{ identity: string }, [string]>('SELECT identity FROM roots WHERE path = ?')
        .get(path)
    )?.identity
  }

  /** @returns where a folder was last served; undefined if it was not served with this database */
  async pathOf(identity: string): Promise<string | undefined> {
    return (
      await this.#db
        .query<{ path: string }, [string]>('SELECT path FROM roots WHERE identity = ?')
        .get(identity)
    )?.path
  }

  /** Stores which folder is served at a path. */
  async put(path: string, identity: string): Promise<void> {
    await this.#db.transaction(async () => {
      await this.#db.query('DELETE FROM roots WHERE path = ? OR identity = ?').run(path, identity)
      await insertRow(this.#db, 'roots', { path, identity })
    })
  }

  /**
   * Stores which object on the disk a served folder is. If it is another one, everything in the folder was copied, for
   * example to a new disk: then shares do not know their folders by their inodes any more, and look again.
   */
  async setObject(identity: string, object: string): Promise<void> {
    const row = await this.#db
      .query<{ object: string }, [string]>('SELECT object FROM roots WHERE identity = ?')
      .get(identity)
    if (!row || row.object === object) return
    await this.#db.transaction(async () => {
      await this.#db.query('UPDATE roots SET object = ? WHERE identity = ?').run(object, identity)
      if (row.object !== '') await this.#db.query(`UPDATE shares SET target = ''`).run()
    })
  }

  /** Gives a folder another path, in all rows. What was known of a folder at that path is forgotten. */
  async move(from: string, to: string): Promise<void> {
    if (from === to) return
    await this.#db.transaction(async () => {
      for (const table of TABLES) {
        await this.#db.query(`UPDATE ${table} SET root = ? WHERE root = ?`).run(to, from)
      }
      await this.#db
        .query('DELETE FROM roots WHERE path = ?1 AND EXISTS (SELECT 1 FROM roots WHERE path = ?2)')
        .run(to, from)
      await this.#db.query('UPDATE roots SET path = ? WHERE path = ?').run(to, from)
    })
  }

  /** Whether the trash has content of the folder at a path. */
  async hasTrash(path: string): Promise<boolean> {
    return (await this.#db.query('SELECT 1 FROM kept WHERE root = ? LIMIT 1').get(path)) !== null
  }
}
