/**
 * The clock of the database, which all servers with it share. It is told with each renewal of a lease. In between, the clock of
 * this machine counts on, whose difference was seen then.
 */
export class ServerClock {
  /** How far the clock of this machine was ahead when the database last told its time. */
  #aheadMs = 0

  nowMs(): number {
    return Date.now() - this.#aheadMs
  }

  /**
   * @param databaseMs what the database has told
   * @param sentMs when it was asked, by the clock of this machine
   */
  note(databaseMs: number, sentMs: number): void {
    // Half of the time that the question took is the best guess of when it was answered.
    this.#aheadMs = (sentMs + Date.now()) / 2 - databaseMs
  }
}
