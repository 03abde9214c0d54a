/** Looks for what the command line has asked of jobs, while there are jobs that are not over. */
import { LIMITS } from '#wire/limits.ts'

export class Requests {
  readonly #look: () => boolean
  #timer: Timer | undefined

  /** @param look does what was asked for, and says whether to look again */
  constructor(look: () => boolean) {
    this.#look = look
  }

  /** Looks now and then, until nothing is left to look for. */
  watch(): void {
    if (this.#timer) return
    this.#timer = setInterval(() => {
      if (!this.#look()) this.end()
    }, LIMITS.jobsLookMs)
    this.#timer.unref()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
