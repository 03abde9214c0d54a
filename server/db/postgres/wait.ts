/** Waits for a PostgreSQL server that does not answer yet, because it is starting or another one takes over. */
import { databaseName, type PostgresAddress } from './connection.ts'
import { hasTables, UnreachableDatabase } from './open-postgres.ts'

/** How often it is tried, with a line for each time. */
const TRY_EVERY_MS = 5000

export interface Waiting {
  /** How long at most. */
  forMs: number
  /** Receives a line for the operator. */
  say(line: string): void
  /** Resolves when nothing is waited for any more. */
  stopped: Promise<void>
}

/**
 * @returns whether the server answers, even with a refusal; false if the wait was stopped
 * @throws UnreachableDatabase when the time is over
 */
export async function waitForPostgres(
  address: PostgresAddress,
  { forMs, say, stopped }: Waiting,
): Promise<boolean> {
  const endMs = performance.now() + forMs
  for (;;) {
    const nextMs = performance.now() + TRY_EVERY_MS
    const outcome = await Promise.race([stopped.then(() => false), isThere(address)])
    if (outcome === true || outcome === false) return outcome
    const restMs = endMs - performance.now()
    if (restMs <= 0) throw outcome
    const name = databaseName(address.url)
    say(
      `The database ${name} does not answer. It is waited for ${Math.ceil(restMs / 1000)} s more.`,
    )
    await pause(Math.min(nextMs - performance.now(), restMs), stopped)
  }
}

/** A timer that is left would keep the process. */
async function pause(ms: number, stopped: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([stopped, promise])
  clearTimeout(timer)
}

async function isThere(address: PostgresAddress): Promise<true | UnreachableDatabase> {
  try {
    await hasTables(address)
    return true
  } catch (error) {
    // Another refusal is reported when the database is opened.
    return error instanceof UnreachableDatabase ? error : true
  }
}
