/**
 * How a server asks another one to make names in a folder at the same moment (server/cluster/name-meeting.ts). The question and
 * the answer are in the row of the server that is asked, which looks at it when it renews its lease.
 */
import type { PostgresDatabase } from './postgres-database.ts'

/** Both begin so long after the question was accepted, so that both know it in time. */
const BEGIN_AFTER = `interval '0.2 seconds'`
const WAIT_MS = 'CAST(ceil(extract(epoch FROM begin_at - clock_timestamp()) * 1000) AS BIGINT)'

export interface MeetingState {
  /** The question; empty while there is none. */
  asked: string
  /** Milliseconds until both begin; null while the question is not accepted. */
  waitMs: number | null
  /** Empty while there is none. */
  answer: string
}

export class ServerMeetings {
  readonly #db: PostgresDatabase

  constructor(db: PostgresDatabase) {
    this.#db = db
  }

  /** @returns false if another server is asking the same one, or that one has ended */
  async ask(number: number, question: string): Promise<boolean> {
    const rows = await this.#db.alone(
      `UPDATE servers SET asked = ?, begin_at = NULL, answer = '' WHERE number = ? AND asked = '' RETURNING number`,
      question,
      number,
    )
    return rows.length > 0
  }

  /** @returns undefined if the server that was asked has ended */
  async state(number: number): Promise<MeetingState | undefined> {
    const [row] = await this.#db.alone<MeetingState>(
      `SELECT asked, ${WAIT_MS} AS "waitMs", answer FROM servers WHERE number = ?`,
      number,
    )
    return row
  }

  /** Removes a question, so that others can ask. */
  async end(number: number, question: string): Promise<void> {
    await this.#db.alone(
      `UPDATE servers SET asked = '' WHERE number = ? AND asked = ?`,
      number,
      question,
    )
  }

  /** @returns the milliseconds until both begin; undefined if the question was taken back */
  async accept(number: number, question: string): Promise<number | undefined> {
    const [row] = await this.#db.alone<{ waitMs: number }>(
      `UPDATE servers SET begin_at = clock_timestamp() + ${BEGIN_AFTER} WHERE number = ? AND asked = ?
       RETURNING ${WAIT_MS} AS "waitMs"`,
      number,
      question,
    )
    return row?.waitMs
  }

  async answer(number: number, question: string, answer: string): Promise<void> {
    await this.#db.alone(
      'UPDATE servers SET answer = ? WHERE number = ? AND asked = ?',
      answer,
      number,
      question,
    )
  }
}
