/**
 * Calls of a disk that the main thread makes itself, because they take less time than a change to another thread. If one
 * takes long, other threads make them for a while, so that nothing else waits for a slow disk.
 */

/** How long a call may take, and how long other threads make the calls after that was exceeded. */
const SLOW_MS = 20
const SLOW_FOR_MS = 10_000

/** More bytes are written by another thread. */
export const SHORT_WRITE_BYTES = 128 * 1024

export class ShortCalls {
  readonly #nowMs: () => number
  #slowUntilMs = 0

  /** @param nowMs a clock that never goes back */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Whether another thread must make the calls. */
  get areSlow(): boolean {
    return this.#nowMs() < this.#slowUntilMs
  }

  /** Makes a call. @throws what it throws */
  run<T>(act: () => T): T {
    const startMs = this.#nowMs()
    try {
      return act()
    } finally {
      const endMs = this.#nowMs()
      if (endMs - startMs > SLOW_MS) this.#slowUntilMs = endMs + SLOW_FOR_MS
    }
  }
}
