/** Sign-in attempts that are running at all servers with one database. */
export interface RunningAttempts {
  /**
   * Counts an attempt as running, for some minutes at most, since its server may be killed. It waits for no other writer
   * and for no disk.
   *
   * @param keys what it counts for
   * @returns for each key how many attempts are running with this one
   * @throws an error of the database
   */
  begin(keys: readonly string[]): Promise<Map<string, number>>
  /**
   * @param keys as for `begin`
   * @throws an error of the database
   */
  end(keys: readonly string[]): Promise<void>
}
