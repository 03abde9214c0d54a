/** Who is told that jobs changed: soon, and once for many changes. */
import { LIMITS } from '#wire/limits.ts'

interface Listener {
  /** Whose jobs; undefined is everybody's. */
  userId: number | undefined
  changed(): void
}

export class JobListeners {
  readonly #listeners = new Set<Listener>()
  readonly #pending = new Set<number>()
  #timer: Timer | undefined

  add(userId: number | undefined, changed: () => void): Disposable {
    const listener = { userId, changed }
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) }
  }

  /** Something of this user's jobs is new. */
  tell(userId: number): void {
    if (this.#listeners.size === 0) return
    this.#pending.add(userId)
    this.#timer ??= setTimeout(() => this.#tellAll(), LIMITS.jobsPauseMs)
    this.#timer.unref()
  }

  #tellAll(): void {
    const pending = new Set(this.#pending)
    this.#pending.clear()
    this.#timer = undefined
    for (const { userId, changed } of this.#listeners) {
      if (userId === undefined || pending.has(userId)) changed()
    }
  }
}
