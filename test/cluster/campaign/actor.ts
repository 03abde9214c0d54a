/** What works on the shared servers during a round. */

export interface Actor {
  /**
   * Works until it is told to end. A request may fail, or stay without a response, since servers end.
   *
   * @param mayGoOn is asked before each step
   * @throws Error if a server responds with what no fault explains
   */
  work(mayGoOn: () => boolean): Promise<void>
  /**
   * When all servers run again: completes what is unfinished, and looks at what is undecided.
   *
   * @returns a message for each loss
   */
  settle(): Promise<string[]>
}

/** The statuses of changes that were made or not: the database did not answer, or the lease was lost. */
export const UNDECIDED: readonly number[] = [503]

/** An answer of a server that no fault explains. */
export class Unexplained extends Error {}

/** Sends a request. @returns undefined if it has no response, or one that leaves open what has happened */
export async function decided(request: Promise<Response>): Promise<Response | undefined> {
  const response = await request.catch(() => undefined)
  if (response && !UNDECIDED.includes(response.status)) return response
  await response?.body?.cancel().catch(() => undefined)
  return undefined
}
