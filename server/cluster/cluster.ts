/** Where the processes with one database find each other. */
import type { ServerLeases } from '#server/db/postgres/server-leases.ts'
import { Membership } from './membership.ts'
import type { FolderMeetings } from './name-meeting.ts'
import { type FolderPeers, type Peers, peersInFolder } from './peers.ts'

export class Cluster {
  readonly #leases: ServerLeases | undefined
  readonly #nowMs: () => number
  readonly #members: Membership[] = []

  /**
   * @param leases those of a PostgreSQL database; absent for a file
   * @param nowMs a clock that does not jump
   */
  constructor(leases?: ServerLeases, nowMs = () => performance.now()) {
    this.#leases = leases
    this.#nowMs = nowMs
  }

  /** Whether other processes can share the database from other machines. */
  get isShared(): boolean {
    return this.#leases !== undefined
  }

  /**
   * From now on this process uses a served folder.
   *
   * @param folder what the private folder of the served one tells
   * @param options `root`: its path on the disk; `isServing`: whether this is a server, and not a command; `meetings`: absent
   *   if the folder can only be read
   * @throws errors of the database
   */
  async join(
    folder: FolderPeers,
    options: { root: string; isServing: boolean; meetings?: FolderMeetings | undefined },
  ): Promise<Peers> {
    if (!this.#leases) return peersInFolder(folder)
    const member = await Membership.join(this.#leases, { folder, nowMs: this.#nowMs, ...options })
    this.#members.push(member)
    return member
  }

  /** Whether another process uses a served folder at a path. */
  async isServed(root: string): Promise<boolean> {
    return (await this.#leases?.first(root)) !== undefined
  }

  /** @param log receives what an administrator should know */
  listen(log: (line: string) => void): void {
    for (const member of this.#members) member.listen(log)
  }

  /** Others may take over at once. */
  async close(): Promise<void> {
    for (const member of this.#members) await member.leave()
  }
}
