/** Changes that are undone at once at another server. */
import { randomBytes } from 'node:crypto'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { digest, type ExpectedState } from '../../faults/expected-state.ts'
import type { Draw } from '../../faults/load.ts'
import type { Client } from '../../support/server/client.ts'
import { type Actor, decided, Unexplained } from './actor.ts'

const TURNS_MAX = 30
const NAMES = ['a', 'b', 'c']

export class Undos implements Actor {
  readonly #client: Client
  readonly #expected: ExpectedState
  readonly #draw: Draw
  #folders = 0

  constructor(client: Client, expected: ExpectedState, draw: Draw) {
    this.#client = client
    this.#expected = expected
    this.#draw = draw
  }

  /** After an undecided change, it goes on in another folder. */
  async work(mayGoOn: () => boolean): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX && mayGoOn(); turn += 1) {
      const path = `undos-${this.#folders}/${NAMES[this.#draw(NAMES.length)]}`
      if (!(await this.#changeAndUndo(path))) this.#folders += 1
    }
  }

  /** @returns false if one of them is undecided */
  async #changeAndUndo(path: string): Promise<boolean> {
    const before = this.#expected.content(path)
    const isRemoval = before !== undefined && this.#draw(2) === 0
    const bytes = randomBytes(1 + this.#draw(20_000))
    const after = isRemoval ? undefined : digest(bytes)
    const entry = await this.#change(path, after, () =>
      isRemoval
        ? this.#client.call('DELETE', `${API.resources}/${path}`)
        : this.#client.call('POST', `${API.resources}/${path}?override=true`, bytes),
    )
    if (entry === undefined) return false
    // Some stay, so that there is something to replace and to remove.
    if (this.#draw(3) === 0) return true
    const undo = () => this.#client.call('POST', `${API.journal}/undo`, { id: entry })
    return (await this.#change(path, before, undo)) !== undefined
  }

  /** @returns the number of the journal entry; undefined if the change is undecided */
  async #change(
    path: string,
    after: string | undefined,
    send: () => Promise<Response>,
  ): Promise<number | undefined> {
    const finish = this.#expected.begin({ [path]: after })
    const answer = await decided(send())
    if (!answer) return undefined
    const text = await answer.text()
    if (!answer.ok) throw new Unexplained(`${path}: ${answer.status} ${text}`)
    finish()
    return Number(answer.headers.get(JOURNAL_HEADER))
  }

  async settle(): Promise<string[]> {
    return []
  }
}
