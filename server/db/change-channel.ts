/** How servers that share a database tell each other what has changed. */

/** Changed paths of a served folder, as one other server has stored them together. */
export interface StoredEvent {
  id: number
  paths: string[]
}

export interface ChangeChannel {
  /**
   * Stores changed paths for other servers and notifies them. It waits for no other writer and for no disk; a crash of the
   * database loses events.
   *
   * @param root the served folder, by its path on the disk
   * @param events each becomes one event; without any, others are only notified
   * @throws an error of the database
   */
  send(root: string, events: readonly (readonly string[])[]): Promise<void>
  /**
   * Reads events of other servers.
   *
   * @param since a time as returned by an earlier call; events that were stored a few seconds before it are read too,
   *   because they may have been committed after it. Undefined: from now on.
   * @param known ids that are not read again
   * @returns some of the events, and the time for the next call; `hasMore` if it should follow at once, with the same time
   * @throws an error of the database
   */
  read(
    root: string,
    since: string | undefined,
    known: readonly number[],
  ): Promise<{ events: StoredEvent[]; at: string; hasMore: boolean }>
  /**
   * Deletes events that all servers have read.
   *
   * @throws an error of the database
   */
  forget(): Promise<void>
  /**
   * Calls `onNotice` when a server has sent something, also this one, and `onConnect` when notices arrive from now on:
   * at first, and each time after a break, during which some may have been lost.
   *
   * @returns what ends it
   * @throws an error of the database if it does not answer now
   */
  listen(onNotice: () => void, onConnect: () => void): Promise<AsyncDisposable>
}
