/**
 * The processes that use served folders with this database: a row for each, while its lease lasts by the clock of the
 * database. A lease is renewed without a lock, so that a writer that waits does not end it. It is ended with the lock of
 * writers: when a row is gone, no transaction of its process runs any more, and none can begin.
 */
import { MIGRATIONS } from '../migrations.ts'
import type { Fence, PostgresDatabase } from './postgres-database.ts'
import { ServerClock } from './server-clock.ts'
import { ServerMeetings } from './server-meetings.ts'

/** How long a lease lasts after its renewal. */
export const LEASE_SEC = 20
const LEASE_END = `clock_timestamp() + interval '${LEASE_SEC} seconds'`
/** The time of the database, in milliseconds since the epoch. */
const NOW_MS = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'
const IS_OVER = 'lease_until < clock_timestamp()'

export interface NewServer {
  /** The folder of the process in the private folder of the served one. */
  name: string
  /** The path of the served folder on the disk. */
  root: string
  /** Whether it is a server; otherwise a command. */
  isServing: boolean
  /** The `ProcessId` as JSON. */
  process: string
}

export interface ServerLease {
  number: number
  /** As in `NewServer`. */
  name: string
  process: string
  leaseUntil: string
}

/** The time of the database when a lease was begun or renewed. */
interface Told {
  now_ms: number
}

export class ServerLeases {
  readonly #db: PostgresDatabase
  readonly clock = new ServerClock()
  readonly meetings: ServerMeetings

  constructor(db: PostgresDatabase) {
    this.#db = db
    this.meetings = new ServerMeetings(db)
  }

  /** From now on, this process writes only with its lease. */
  fenceWith(fence: Fence): void {
    this.#db.fenceWith(fence)
  }

  /** @returns the number of a new lease; numbers increase and are never used again */
  async begin(server: NewServer): Promise<number> {
    const sentMs = Date.now()
    const [row] = await this.#db.alone<Told & { number: number }>(
      `INSERT INTO servers (name, root, is_serving, process, steps, lease_until)
       VALUES ($name, $root, $isServing, $process, ${MIGRATIONS.length}, ${LEASE_END})
       RETURNING number, ${NOW_MS} AS now_ms`,
      { ...server },
    )
    if (!row) throw new Error('The database has returned no number.')
    this.clock.note(row.now_ms, sentMs)
    return row.number
  }

  /** @returns what another server asks this one, empty if none does; undefined if the lease was ended */
  async renew(number: number): Promise<{ asked: string } | undefined> {
    const sentMs = Date.now()
    const [row] = await this.#db.alone<Told & { asked: string }>(
      `UPDATE servers SET lease_until = ${LEASE_END} WHERE number = ? RETURNING asked, ${NOW_MS} AS now_ms`,
      number,
    )
    if (row) this.clock.note(row.now_ms, sentMs)
    return row
  }

  /** Ends a lease of this process, whose work has ended. */
  async give(number: number): Promise<void> {
    await this.#db.alone('DELETE FROM servers WHERE number = ?', number)
  }

  /** Ends the lease of another process that is known to have ended. */
  async end(number: number): Promise<void> {
    await this.#db.lazily(() => this.#db.query('DELETE FROM servers WHERE number = ?').run(number))
  }

  /** Whether a lease lasts. If it is over, it is ended. */
  async isHeld(number: number): Promise<boolean> {
    await this.#endOver()
    return (await this.#db.query('SELECT 1 FROM servers WHERE number = ?').get(number)) !== null
  }

  /** @returns the server that has used a served folder longest, before any command; undefined if there is none */
  async first(root: string): Promise<{ number: number; name: string } | undefined> {
    await this.#endOver()
    const row = await this.#db
      .query<{ number: number; name: string }, [string]>(
        'SELECT number, name FROM servers WHERE root = ? ORDER BY is_serving DESC, number LIMIT 1',
      )
      .get(root)
    return row ?? undefined
  }

  /** @returns the server that serves a folder longest, if its number is lower than this one; undefined if there is none */
  async firstBefore(number: number, root: string): Promise<ServerLease | undefined> {
    await this.#endOver()
    const row = await this.#db
      .query<ServerLease, [string, number]>(
        `SELECT number, name, process, CAST(lease_until AS TEXT) AS "leaseUntil" FROM servers
         WHERE root = ? AND number < ? AND is_serving <> 0 ORDER BY number LIMIT 1`,
      )
      .get(root, number)
    return row ?? undefined
  }

  async #endOver(): Promise<void> {
    if (!(await this.#db.query(`SELECT 1 FROM servers WHERE ${IS_OVER} LIMIT 1`).get())) return
    await this.#db.lazily(() => this.#db.query(`DELETE FROM servers WHERE ${IS_OVER}`).run())
  }
}
