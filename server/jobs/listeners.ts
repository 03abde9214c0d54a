/** Notifies listeners that jobs changed: after a short delay, and once for several changes. */
import { SERVER_LIMITS } from '#wire/server-limits.ts'

interface Listener {
  /** The user whose jobs the listener sees; undefined means all. */
  userId: number | undefined
  onChange(): void
}

export class JobListeners {
  readonly #listeners = new Set<Listener>()
  /** The users whose jobs have changed since the last notification. */
  readonly #pending = new Set<number>()
  #timer: Timer | undefined

  /** Calls `onChange` after changes in the jobs of this user, or of all users, until the result is disposed of. */
  add(userId: number | undefined, onChange: () => void): Disposable {
    const listener = { userId, onChange }
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) }
  }

  /** Reports a change in this user's jobs. */
  notify(userId: number): void {
    if (this.#listeners.size === 0) return
    this.#pending.add(userId)
    this.#timer ??= setTimeout(() => this.#notifyAll(), SERVER_LIMITS.jobsPauseMs)
    // A pending notification does not keep a stopping process alive.
    this.#timer.unref()
  }

  #notifyAll(): void {
    const pending = new Set(this.#pending)
    this.#pending.clear()
    this.#timer = undefined
    for (const { userId, onChange } of this.#listeners) {
      if (userId === undefined || pending.has(userId)) onChange()
    }
  }
}
