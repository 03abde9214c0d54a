/** Shares and a session are ended at one server while requests use them at others: none that begins later is authorised. */
import { writeFileSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { digest, type ExpectedState } from '../../faults/expected-state.ts'
import type { Draw } from '../../faults/load.ts'
import type { Client } from '../../support/server/client.ts'
import { PASSWORD } from '../../support/server/passwords.ts'
import { type Actor, decided, Unexplained } from './actor.ts'
import type { SharedServers } from './servers.ts'

const FILE = 'revoked.txt'
const VISITORS = 3
const TURNS_MAX = 15
/** The user whose session ends once in a round. */
const USER = 'revoked'

export class Revocations implements Actor {
  readonly #servers: SharedServers
  readonly #admin: Client
  readonly #draw: Draw
  readonly #wrong: string[] = []

  constructor(servers: SharedServers, admin: Client, draw: Draw) {
    this.#servers = servers
    this.#admin = admin
    this.#draw = draw
  }

  /** Creates the shared file. Call it while nothing runs. */
  prepare(expected: ExpectedState): void {
    writeFileSync(this.#servers.at(FILE), FILE)
    expected.begin({ [FILE]: digest(FILE) })()
  }

  /** Creates the user, once for all rounds. */
  static async addUser(admin: Client): Promise<void> {
    const data = { username: USER, password: PASSWORD, perm: { download: true } }
    const body = { what: 'user', which: [], current_password: PASSWORD, data }
    const made = await admin.call('POST', API.users, body)
    if (made.status !== 201) throw new Error(`${made.status} ${await made.text()}`)
  }

  async work(mayGoOn: () => boolean): Promise<void> {
    await Promise.all([this.#endSession(mayGoOn), this.#endShares(mayGoOn)])
  }

  async settle(): Promise<string[]> {
    return this.#wrong
  }

  async #endShares(mayGoOn: () => boolean): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX && mayGoOn(); turn += 1) {
      const made = await decided(this.#admin.call('POST', `${API.share}/${FILE}`, {}))
      if (!made) continue
      if (!made.ok) throw new Unexplained(`a share: ${made.status}`)
      const { hash } = await made.json()
      const visit = (at: number) =>
        this.#servers.clientAt(at, '').call('GET', `${API.publicDownload}/${hash}`)
      const revoke = () => this.#admin.call('DELETE', `${API.share}/${hash}`)
      await this.#usedUntil('a share', visit, revoke)
    }
  }

  async #endSession(mayGoOn: () => boolean): Promise<void> {
    if (!mayGoOn()) return
    const who = { username: USER, password: PASSWORD }
    const visitor = this.#servers.anyClient(this.#draw, '')
    const answer = await decided(visitor.call('POST', API.login, who))
    if (!answer) return
    const token = await answer.text()
    if (!answer.ok) throw new Unexplained(`signing in: ${answer.status} ${token}`)
    const use = (at: number) => this.#servers.clientAt(at, token).call('GET', `${API.raw}/${FILE}`)
    const client = this.#servers.anyClient(this.#draw, token)
    await this.#usedUntil('a session', use, () => client.call('POST', API.logout))
  }

  /**
   * Uses something at all servers until it is revoked, and a little longer.
   *
   * @param use sends a request to a server
   */
  async #usedUntil(
    what: string,
    use: (at: number) => Promise<Response>,
    revoke: () => Promise<Response>,
  ): Promise<void> {
    let revokedMs = Number.POSITIVE_INFINITY
    let isOver = false
    const visitor = async () => {
      // Each sends one more after the revocation.
      for (let isLast = false; !isLast; ) {
        isLast = isOver
        const beganMs = performance.now()
        const answer = await decided(use(this.#draw(this.#servers.count)))
        await answer?.body?.cancel()
        if (beganMs > revokedMs && answer?.ok) this.#wrong.push(`${what} was used after its end`)
      }
    }
    const visitors = Array.from({ length: VISITORS }, visitor)
    await Bun.sleep(this.#draw(200))
    const answer = await decided(revoke())
    await answer?.body?.cancel()
    if (answer && !answer.ok) throw new Unexplained(`revoking ${what}: ${answer.status}`)
    if (answer) revokedMs = performance.now()
    isOver = true
    await Promise.all(visitors)
  }
}
