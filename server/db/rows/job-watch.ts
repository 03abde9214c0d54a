/** Finds out whose jobs another process has changed, such as another server or the command line. */
import type { Database } from '../database.ts'

export class JobWatch {
  readonly #db: Database
  /** Changes when another connection has written to the database. */
  #version = ''
  /** User → the state of the jobs, as text. */
  #stateByUser = new Map<number, string>()

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * @param root the path of the served folder on the disk; the same in all calls
   * @returns the users whose jobs differ from those at the last call, if another process has written since
   */
  async changedUsers(root: string): Promise<number[]> {
    const version = await this.#db.outsideVersion('jobs')
    if (version === this.#version) return []
    this.#version = version
    const before = this.#stateByUser
    this.#stateByUser = await this.#states(root)
    const users = new Set([...before.keys(), ...this.#stateByUser.keys()])
    return [...users].filter((userId) => before.get(userId) !== this.#stateByUser.get(userId))
  }

  async #states(root: string): Promise<Map<number, string>> {
    const rows = await this.#db
      .query<{ user_id: number }, [string]>(
        `SELECT user_id, id, state, ended_ms, fault,
           CASE WHEN ended_ms = 0 THEN (SELECT count(*) FROM job_items WHERE job = jobs.id AND state <> 'waiting') ELSE 0 END AS begun
         FROM jobs WHERE root = ? ORDER BY id`,
      )
      .all(root)
    const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
    return new Map([...byUser].map(([userId, jobs]) => [userId, JSON.stringify(jobs)]))
  }
}
