/**
 * Counters of failed sign-ins, which all servers that share the database see. They are written without a flush. On
 * PostgreSQL they are not even logged, so that a crash of its server removes them.
 */
import type { Database } from '../database.ts'
import { putRow } from '../insert-row.ts'

export interface StoredFailures {
  /** At `countedMs`; that of an address decreases from then on. */
  count: number
  countedMs: number
  /** Before this time, further attempts are refused without a comparison. */
  blockedUntilMs: number
  lastMs: number
}

interface Row {
  count: number
  counted_ms: number
  blocked_until_ms: number
  last_ms: number
}

/** Old and surplus counters are deleted after so many changes. */
const CLEAN_EVERY = 64

/** A sign-in is not delayed while another program holds the lock: its failures are then counted in memory. */
const IMPATIENT = { isPatient: false }

export class FailureRows {
  readonly #db: Database
  /** The clock of the times in the rows, which is the same at all servers. */
  readonly nowMs: () => number
  #changes = 0

  constructor(db: Database, nowMs: () => number = Date.now) {
    this.#db = db
    this.nowMs = nowMs
  }

  async find(key: string): Promise<StoredFailures | undefined> {
    const row = await this.#db
      .query<Row, [string]>('SELECT * FROM failures WHERE key = ?')
      .get(nameOfKey(key))
    if (!row) return undefined
    const { count, counted_ms, blocked_until_ms, last_ms } = row
    return { count, countedMs: counted_ms, blockedUntilMs: blocked_until_ms, lastMs: last_ms }
  }

  /**
   * Replaces a counter. No other server changes it in between.
   *
   * @param limits counters whose last failure was before `beforeMs` are deleted, and the oldest beyond the number `max`
   *   that cause no wait, and of those that do
   * @throws an error of SQLite, for example on a full disk
   */
  change(
    key: string,
    change: (present: StoredFailures | undefined) => StoredFailures,
    limits: { beforeMs: number; max: number },
  ): Promise<StoredFailures> {
    return this.#db.lazily(async () => {
      const changed = change(await this.find(key))
      const { count, countedMs, blockedUntilMs, lastMs } = changed
      await putRow(
        this.#db,
        'failures',
        {
          key: nameOfKey(key),
          count,
          counted_ms: countedMs,
          blocked_until_ms: blockedUntilMs,
          last_ms: lastMs,
          waits: blockedUntilMs > lastMs,
        },
        'key',
      )
      this.#changes += 1
      if (this.#changes % CLEAN_EVERY === 1) await this.#clean(limits)
      return changed
    }, IMPATIENT)
  }

  /** @throws an error of SQLite */
  async remove(key: string): Promise<void> {
    if (!(await this.find(key))) return
    await this.#db.lazily(
      async () => this.#db.query('DELETE FROM failures WHERE key = ?').run(nameOfKey(key)),
      IMPATIENT,
    )
  }

  async #clean({ beforeMs, max }: { beforeMs: number; max: number }): Promise<void> {
    await this.#db.query('DELETE FROM failures WHERE last_ms < ?').run(beforeMs)
    await this.#db
      .query(
        `DELETE FROM failures WHERE key IN (SELECT key FROM
           (SELECT key, row_number() OVER (PARTITION BY waits ORDER BY last_ms DESC) AS number FROM failures) AS numbered
         WHERE number > ?)`,
      )
      .run(max)
  }
}

/** The database does not contain the typed names, because a user may type a password there by mistake. */
export function nameOfKey(key: string): string {
  return new Bun.CryptoHasher('sha256').update(key).digest('hex')
}
