/**
 * The time for the age of what is deleted by its age: trash, journal, audit log and unfinished uploads. It is the time
 * of day, unless the clock has jumped: a machine that starts with a clock that is years ahead must not delete everything.
 * Then this time goes on from where it was, twice as fast as time passes, until it has caught up.
 */
import type { Database } from '#server/db/database.ts'
import type { SettingRows } from '#server/db/rows/settings.ts'
import { DAY_MS } from '#wire/units.ts'

const KEY = 'seenTime'
/** A server that was stopped for a longer time cannot tell that from a wrong clock. */
const STOP_MAX_MS = DAY_MS
/** How fast the time catches up. */
const SPEED = 2

export interface Clock {
  /** Milliseconds since 1970. */
  timeOfDayMs(): number
  /** Milliseconds since some moment; never set. */
  monotonicMs(): number
}

const SYSTEM: Clock = { timeOfDayMs: () => Date.now(), monotonicMs: () => performance.now() }

export class SeenTime {
  readonly #rows: SettingRows
  readonly #db: Pick<Database, 'lazily'>
  readonly #clock: Clock
  readonly #startMs: number
  readonly #startedAtMs: number

  private constructor(
    rows: SettingRows,
    db: Pick<Database, 'lazily'>,
    clock: Clock,
    last: unknown,
  ) {
    this.#rows = rows
    this.#db = db
    this.#clock = clock
    const timeOfDayMs = clock.timeOfDayMs()
    const isWrong =
      typeof last === 'number' && (timeOfDayMs < last || timeOfDayMs > last + STOP_MAX_MS)
    this.#startMs = isWrong ? last : timeOfDayMs
    this.#startedAtMs = clock.monotonicMs()
  }

  /** Goes on from the stored time. */
  static async open(
    rows: SettingRows,
    db: Pick<Database, 'lazily'>,
    clock: Clock = SYSTEM,
  ): Promise<SeenTime> {
    return new SeenTime(rows, db, clock, await rows.find(KEY))
  }

  /** The time in milliseconds since 1970. */
  nowMs(): number {
    const passedMs = this.#clock.monotonicMs() - this.#startedAtMs
    const latestMs = this.#startMs + SPEED * passedMs
    return Math.min(Math.max(this.#clock.timeOfDayMs(), this.#startMs), latestMs)
  }

  /** Stores the time for the next start. A failure is ignored: the next call stores it. */
  async store(): Promise<void> {
    try {
      await this.#db.lazily(() => this.#rows.put(KEY, this.nowMs()))
    } catch {
      // The disk is full, or the database is locked.
    }
  }
}
