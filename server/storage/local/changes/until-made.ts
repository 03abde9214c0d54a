/** Repeats a change whose names change while it is recorded. */

import { Fault } from '#wire/fault.ts'

/** How often a change is tried. */
const TRIES = 5

/**
 * @param attempt tries the change; false if it must be tried again. At the last try, `isLastTry` is true.
 * @throws what `attempt` throws; Fault locked if the names change all the time
 */
export async function untilMade(attempt: (isLastTry: boolean) => Promise<boolean>): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries += 1) if (await attempt(tries === TRIES)) return
  throw changesAllTheTime()
}

export function changesAllTheTime(): Fault {
  return new Fault('locked', 'Another user or program is changing this file. Try again.')
}
