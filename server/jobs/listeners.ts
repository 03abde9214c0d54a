/**
 * Notifies listeners that jobs changed: after a short delay, and once for several changes. Changes by other processes
 * are looked up in the database while there are listeners.
 */
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'

interface Listener {
  /** The user whose jobs the listener sees; undefined means all. */
  userId: number | undefined
  onChange(): void
}

/** How often changes by other processes are looked up. */
const LOOK_EVERY_MS = 1000

export class JobListeners {
  readonly #changedOutside: () => Promise<readonly number[]>
  readonly #tellOthers: () => void
  readonly #listeners = new Set<Listener>()
  /** The users whose jobs have changed since the last notification. */
  readonly #pending = new Set<number>()
  #timer: Timer | undefined
  #poll: Timer | undefined

  /**
   * @param changedOutside returns the users whose jobs another process has changed since the last call
   * @param tellOthers is called after each change by this process
   */
  constructor(changedOutside: () => Promise<readonly number[]>, tellOthers = () => {}) {
    this.#changedOutside = changedOutside
    this.#tellOthers = tellOthers
  }

  /** Calls `onChange` after changes in the jobs of this user, or of all users, until the result is disposed of. */
  add(userId: number | undefined, onChange: () => void): Disposable {
    const listener = { userId, onChange }
    this.#listeners.add(listener)
    this.#startPoll()
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener)
        if (this.#listeners.size === 0) this.#stopPoll()
      },
    }
  }

  #startPoll(): void {
    if (this.#poll) return
    // Earlier changes are in the list that each listener loads.
    void this.#changedOutside()
    this.#poll = setInterval(() => void this.#look(), LOOK_EVERY_MS)
    this.#poll.unref()
  }

  /** Looks up the changes by other processes now, while there are listeners. */
  look(): void {
    if (this.#poll) void this.#look()
  }

  async #look(): Promise<void> {
    for (const userId of await this.#changedOutside()) this.#notifySoon(userId)
  }

  #stopPoll(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  /** Reports a change in this user's jobs by this process. */
  notify(userId: number): void {
    this.#tellOthers()
    this.#notifySoon(userId)
  }

  #notifySoon(userId: number): void {
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
