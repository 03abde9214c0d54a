/** Polls the database for requests of the command line and of other servers while there are unfinished jobs. */
import { LIMITS } from '#wire/limits.ts'

export class RequestPoller {
  readonly #poll: () => boolean
  #timer: Timer | undefined

  /** @param poll carries out the requests and returns whether to poll again */
  constructor(poll: () => boolean) {
    this.#poll = poll
  }

  /** Polls at intervals until `poll` returns false. */
  start(): void {
    if (this.#timer) return
    this.#timer = setInterval(() => {
      if (!this.#poll()) this.stop()
    }, LIMITS.jobsPollMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
