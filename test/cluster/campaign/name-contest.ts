/** All servers publish one name at the same time: at most one succeeds, and the file has its content. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { digest, type ExpectedState } from '../../faults/expected-state.ts'
import { type Actor, decided, Unexplained } from './actor.ts'
import type { SharedServers } from './servers.ts'

const TURNS_MAX = 25
const FOLDER = 'contests'

interface Contest {
  name: string
  /** The contents whose requests succeeded, and those whose requests may have. */
  won: string[]
  undecided: string[]
}

export class NameContest implements Actor {
  readonly #servers: SharedServers
  readonly #expected: ExpectedState
  readonly #contests: Contest[] = []

  constructor(servers: SharedServers, expected: ExpectedState) {
    this.#servers = servers
    this.#expected = expected
  }

  /**
   * Creates their folder. Call it while nothing runs. Otherwise a server that loses may have made the folder of the file of
   * another one, and the later entry cannot be undone first.
   */
  prepare(): void {
    mkdirSync(this.#servers.at(FOLDER), { recursive: true })
  }

  async work(mayGoOn: () => boolean): Promise<void> {
    while (mayGoOn() && this.#contests.length < TURNS_MAX) {
      const contest = { name: `${this.#contests.length}`, won: [], undecided: [] }
      this.#contests.push(contest)
      const all = Array.from({ length: this.#servers.count }, (_, at) => at)
      await Promise.all(all.map((at) => this.#publish(at, contest)))
    }
  }

  async #publish(at: number, { name, won, undecided }: Contest): Promise<void> {
    const content = `${name} of ${at}`
    const address = `${API.resources}/${FOLDER}/${name}`
    const answer = await decided(this.#servers.clientAt(at).call('POST', address, content))
    await answer?.body?.cancel()
    if (answer === undefined) undecided.push(content)
    else if (answer.ok) won.push(content)
    else if (answer.status !== 409) throw new Unexplained(`publishing ${name}: ${answer.status}`)
  }

  async settle(): Promise<string[]> {
    return this.#contests.flatMap(({ name, won, undecided }) => {
      const path = this.#servers.at(FOLDER, name)
      const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined
      if (found !== undefined) this.#expected.begin({ [`${FOLDER}/${name}`]: digest(found) })()
      const [winner] = won
      const isRight =
        winner === undefined
          ? found === undefined
            ? undecided.length > 0
            : undecided.includes(found)
          : won.length === 1 && found === winner
      if (isRight) return []
      return [`${FOLDER}/${name} has ${found}, won by ${won}, undecided ${undecided}`]
    })
  }
}
