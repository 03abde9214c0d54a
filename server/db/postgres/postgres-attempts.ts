/** Running sign-in attempts in a table that is not logged. Rows are locked in the order of their keys. */
import type { SQL } from 'bun'
import { nameOfKey } from '../rows/failures.ts'
import type { RunningAttempts } from '../running-attempts.ts'
import { toPostgresError } from './errors.ts'

/** After this time, attempts that did not end are forgotten. */
const FORGOTTEN_AFTER = '2 minutes'

export class PostgresAttempts implements RunningAttempts {
  readonly #pool: SQL

  constructor(pool: SQL) {
    this.#pool = pool
  }

  async begin(keys: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#ask(
      `INSERT INTO running_attempts AS known (name, running, until)
         SELECT value, 1, clock_timestamp() + interval '${FORGOTTEN_AFTER}'
         FROM json_array_elements_text($1::text::json) AS each (value) ORDER BY value
       ON CONFLICT (name) DO UPDATE SET
         running = CASE WHEN known.until > clock_timestamp() THEN known.running + 1 ELSE 1 END,
         until = CASE WHEN known.until > clock_timestamp() THEN known.until ELSE excluded.until END
       RETURNING name, running`,
      keys,
    )
    const running = new Map(rows.map((row) => [String(row.name), Number(row.running)]))
    return new Map(keys.map((key) => [key, running.get(nameOfKey(key)) ?? 0]))
  }

  async end(keys: readonly string[]): Promise<void> {
    await this.#ask(
      `WITH ended AS (
         SELECT name, running <= 1 OR until < clock_timestamp() AS is_last FROM running_attempts
         WHERE name IN (SELECT value FROM json_array_elements_text($1::text::json) AS each (value))
           OR until < clock_timestamp()
         ORDER BY name FOR UPDATE
       ), deleted AS (
         DELETE FROM running_attempts AS known USING ended WHERE known.name = ended.name AND is_last
       )
       UPDATE running_attempts AS known SET running = known.running - 1
         FROM ended WHERE known.name = ended.name AND NOT is_last`,
      keys,
    )
  }

  async #ask(sql: string, keys: readonly string[]): Promise<Record<string, unknown>[]> {
    try {
      return await this.#pool.unsafe(sql, [JSON.stringify(keys.map(nameOfKey))])
    } catch (error) {
      throw toPostgresError(error)
    }
  }
}
