/**
 * Events in a table that is not logged, and notices of PostgreSQL. A notice is empty, because the server limits its length
 * and a lost one must cost nothing but time: what has changed is in the table.
 */
import type { SQL } from 'bun'
import type { ChangeChannel, StoredEvent } from '../change-channel.ts'
import { toPostgresError } from './errors.ts'

const CHANNEL = 'filemgr_changes'
/** Events are read again for this time, without those that are known. */
const OVERLAP = '5 seconds'
/** After this time events are deleted. Servers that have not read them look at everything again. */
const KEPT = '1 minute'
/** How many events are read at once. */
const EVENTS_MAX = 50

export class PostgresChannel implements ChangeChannel {
  readonly #pool: SQL
  readonly #process: string

  /** @param process the name of this process, whose events it does not read */
  constructor(pool: SQL, process: string) {
    this.#pool = pool
    this.#process = process
  }

  async send(root: string, events: readonly (readonly string[])[]): Promise<void> {
    const texts = events.map((paths) => JSON.stringify(paths))
    await this.#ask(
      `WITH stored AS (INSERT INTO outbox (process, root, paths)
         SELECT $1::text, $2::text, value FROM json_array_elements_text($3::text::json) AS each (value))
       SELECT pg_notify('${CHANNEL}', '')`,
      [this.#process, root, JSON.stringify(texts)],
    )
  }

  async read(
    root: string,
    since: string | undefined,
    known: readonly number[],
  ): Promise<{ events: StoredEvent[]; at: string; hasMore: boolean }> {
    const [row] = await this.#ask(
      `SELECT statement_timestamp()::text AS at,
         (SELECT coalesce(json_agg(json_build_object('id', id, 'paths', paths) ORDER BY id), '[]')::text FROM
           (SELECT id, paths FROM outbox
            WHERE process <> $1::text AND root = $2::text AND at > $3::text::timestamptz - interval '${OVERLAP}'
              AND id NOT IN (SELECT value::bigint FROM json_array_elements_text($4::text::json) AS each (value))
            ORDER BY id LIMIT ${EVENTS_MAX}) AS next) AS events`,
      // Nothing is later than the end of time.
      [this.#process, root, since ?? 'infinity', JSON.stringify(known)],
    )
    const stored: { id: number; paths: string }[] = JSON.parse(String(row?.events))
    const events = stored.map(({ id, paths }) => ({ id, paths: JSON.parse(paths) as string[] }))
    return { events, at: String(row?.at), hasMore: events.length === EVENTS_MAX }
  }

  async forget(): Promise<void> {
    await this.#ask(`DELETE FROM outbox WHERE at < statement_timestamp() - interval '${KEPT}'`)
  }

  async listen(onNotice: () => void, onConnect: () => void): Promise<AsyncDisposable> {
    try {
      return await this.#pool.listen(CHANNEL, onNotice, onConnect)
    } catch (error) {
      throw toPostgresError(error)
    }
  }

  async #ask(sql: string, values: string[] = []): Promise<Record<string, unknown>[]> {
    try {
      return await this.#pool.unsafe(sql, values)
    } catch (error) {
      throw toPostgresError(error)
    }
  }
}
