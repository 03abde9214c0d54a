/** Tells a session what its copies and downloads lack: no page can read the response to a download. */
import type { LeftOutEvent } from '#wire/api/events.ts'

type Listener = (event: LeftOutEvent) => void

export class LeftOutNotices {
  /** Key: the id of a session. */
  readonly #listeners = new Map<string, Set<Listener>>()

  /** Calls `listener` for each copy and archive of the session, until the result is disposed of. */
  listen(session: string, listener: Listener): Disposable {
    const known = this.#listeners.get(session) ?? new Set()
    this.#listeners.set(session, known.add(listener))
    return {
      [Symbol.dispose]: () => {
        known.delete(listener)
        if (known.size === 0) this.#listeners.delete(session)
      },
    }
  }

  notify(session: string, event: LeftOutEvent): void {
    for (const listener of this.#listeners.get(session) ?? []) listener(event)
  }
}
