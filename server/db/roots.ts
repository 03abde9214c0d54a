/**
 * The folders that were served with this database, by their identity. Trash, journal, jobs and uploads have the path of
 * their folder in their rows; if the folder has another path, so do they.
 */
import type { Database } from 'bun:sqlite'

/** The tables with a column for the path of the served folder. */
const TABLES = ['kept', 'journal', 'jobs', 'uploads']

export class RootRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @returns the identity of the folder that was last served at a path; undefined if it is not known */
  identityAt(path: string): string | undefined {
    return this.#db
      .query<{ identity: string }, [string]>('SELECT identity FROM roots WHERE path = ?')
      .get(path)?.identity
  }

  /** @returns where a folder was last served; undefined if it was not served with this database */
  pathOf(identity: string): string | undefined {
    return this.#db
      .query<{ path: string }, [string]>('SELECT path FROM roots WHERE identity = ?')
      .get(identity)?.path
  }

  /** Stores which folder is served at a path. */
  put(path: string, identity: string): void {
    this.#db
      .query('INSERT OR REPLACE INTO roots (path, identity) VALUES (?, ?)')
      .run(path, identity)
  }

  /**
   * Stores which object on the disk a served folder is. If it is another one, everything in the folder was copied, for
   * example to a new disk: then shares do not know their folders by their inodes any more, and look again.
   */
  setObject(identity: string, object: string): void {
    const row = this.#db
      .query<{ object: string }, [string]>('SELECT object FROM roots WHERE identity = ?')
      .get(identity)
    if (!row || row.object === object) return
    this.#db.transaction(() => {
      this.#db.query('UPDATE roots SET object = ? WHERE identity = ?').run(object, identity)
      if (row.object !== '') this.#db.run(`UPDATE shares SET target = ''`)
    })()
  }

  /** Gives a folder another path, in all rows. */
  move(from: string, to: string): void {
    this.#db.transaction(() => {
      for (const table of TABLES) {
        this.#db.query(`UPDATE ${table} SET root = ? WHERE root = ?`).run(to, from)
      }
      this.#db.query('UPDATE OR REPLACE roots SET path = ? WHERE path = ?').run(to, from)
    })()
  }

  /** Whether the trash has content of the folder at a path. */
  hasTrash(path: string): boolean {
    return this.#db.query('SELECT 1 FROM kept WHERE root = ? LIMIT 1').get(path) !== null
  }
}
